import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type Logger, OperationsModule, type Readiness, type Registry } from '@waggle/service';
import { type GatewayConfig } from './config';
import { gatewayDatabase } from './database';
import { DigestController } from './digests/digest.controller';
import { LocalModule } from './local/local.module';

/** The database and the local methods of the API. `app.ts` creates the rest. */
@Module({})
export class AppModule {
  static forRoot(
    config: GatewayConfig,
    operations: { readiness: Readiness; metrics: Registry },
    logger: Logger,
  ): DynamicModule {
    return {
      module: AppModule,
      controllers: [DigestController],
      imports: [
        OperationsModule.forRoot(operations),
        TypeOrmModule.forRoot({ ...gatewayDatabase(config.database), retryAttempts: 5, retryDelay: 1_000 }),
        LocalModule.forRoot(config.hive.nodes, logger),
      ],
    };
  }
}
