import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type Readiness, OperationsModule } from '@waggle/service';
import { type GatewayConfig } from './config';
import { gatewayDatabase } from './database';
import { DigestController } from './digests/digest.controller';
import { type EventsContext, EventsModule } from './events/events.module';

/** The database and the events of the API. `app.ts` creates the rest. */
@Module({})
export class AppModule {
  static forRoot(config: GatewayConfig, context: EventsContext & { readiness: Readiness }): DynamicModule {
    return {
      module: AppModule,
      controllers: [DigestController],
      imports: [
        OperationsModule.forRoot(context),
        TypeOrmModule.forRoot({ ...gatewayDatabase(config.database), retryAttempts: 5, retryDelay: 1_000 }),
        EventsModule.forRoot(config.events, context),
      ],
    };
  }
}
