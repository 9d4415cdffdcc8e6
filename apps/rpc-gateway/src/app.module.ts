import { Module, type DynamicModule } from '@nestjs/common';
import { type Platform, PlatformModule } from '@waggle/service';
import { type GatewayConfig } from './config';
import { gatewayDatabase } from './database';
import { DigestsModule } from './digests/digests.module';
import { EndpointsModule } from './endpoints/endpoints.module';
import { EventsModule } from './events/events.module';
import { IndexStateModule } from './index-state/index-state.module';
import { LocalModule } from './local/local.module';
import { UpstreamModule } from './upstream/upstream.module';

/** Composes the API from one module per feature. */
@Module({})
export class AppModule {
  static forRoot(config: GatewayConfig, platform: Platform): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(platform, {
          database: gatewayDatabase(config.database),
          // Fails if the tables are missing, which `SELECT 1` would not.
          databaseCheck: 'SELECT FROM index_state',
        }),
        UpstreamModule.forRoot(config),
        IndexStateModule.forRoot(config.index),
        LocalModule.forRoot(config),
        EndpointsModule.forRoot(config),
        EventsModule.forRoot(config.events),
        DigestsModule,
      ],
    };
  }
}
