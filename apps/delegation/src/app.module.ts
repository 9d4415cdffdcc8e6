import { Module, type DynamicModule } from '@nestjs/common';
import { type Platform, PlatformModule } from '@waggle/service';
import { type DelegationConfig } from './config';
import { delegationDatabase } from './database';
import { DelegationsModule } from './delegations/delegations.module';
import { HistoryModule } from './history/history.module';
import { ReadsModule } from './reads/reads.module';
import { ResponsesModule } from './responses/responses.module';
import { StatusModule } from './status/status.module';

/** Composes the API from one module per feature. */
@Module({})
export class AppModule {
  static forRoot(config: DelegationConfig, platform: Platform): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(platform, { database: delegationDatabase(config.database) }),
        ReadsModule.forRoot(config),
        ResponsesModule.forRoot(config),
        DelegationsModule.forRoot(config.database),
        HistoryModule,
        StatusModule,
      ],
    };
  }
}
