import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OperationsModule, type Readiness, type Registry } from '@waggle/service';
import { type DelegationConfig } from './config';
import { delegationDatabase } from './database';
import { DelegationsModule } from './delegations/delegations.module';
import { HistoryModule } from './history/history.module';
import { ReadsModule } from './reads/reads.module';
import { ResponsesModule } from './responses/responses.module';
import { StatusModule } from './status/status.module';

/** The root module of the API. */
@Module({})
export class AppModule {
  static forRoot(config: DelegationConfig, operations: { readiness: Readiness; metrics: Registry }): DynamicModule {
    return {
      module: AppModule,
      imports: [
        OperationsModule.forRoot(operations),
        TypeOrmModule.forRoot({ ...delegationDatabase(config.database), retryAttempts: 5, retryDelay: 1_000 }),
        ReadsModule.forRoot(config),
        ResponsesModule.forRoot(config),
        DelegationsModule.forRoot(config.database),
        HistoryModule,
        StatusModule,
      ],
    };
  }
}
