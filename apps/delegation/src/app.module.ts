import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OperationsModule, POOL, poolOf, type Readiness, type Registry } from '@waggle/service';
import { DataSource } from 'typeorm';
import { Responder } from './responses/responder';
import { DELEGATION_CONFIG, type DelegationConfig } from './config';
import { Exports } from './responses/exports';
import { delegationDatabase } from './database';
import { DelegationsController } from './delegations/delegations.controller';
import { DelegationsService } from './delegations/delegations.service';
import { DelegationsStore } from './delegations/delegations.store';
import { HistoryController } from './history/history.controller';
import { HistoryService } from './history/history.service';
import { HistoryStore } from './history/history.store';
import { ExportReads } from './reads/export-reads';
import { SharedReads } from './reads/shared-reads';
import { StatusController } from './status/status.controller';
import { StatusMetrics } from './status/status.metrics';
import { StatusService } from './status/status.service';

/** The root module of the API. */
@Module({})
export class AppModule {
  static forRoot(config: DelegationConfig, operations: { readiness: Readiness; metrics: Registry }): DynamicModule {
    return {
      module: AppModule,
      imports: [
        OperationsModule.forRoot(operations),
        TypeOrmModule.forRoot({ ...delegationDatabase(config.database), retryAttempts: 5, retryDelay: 1_000 }),
      ],
      controllers: [DelegationsController, HistoryController, StatusController],
      providers: [
        { provide: DELEGATION_CONFIG, useValue: config },
        { provide: POOL, inject: [DataSource], useFactory: poolOf },
        SharedReads,
        ExportReads,
        Exports,
        Responder,
        DelegationsStore,
        DelegationsService,
        HistoryStore,
        HistoryService,
        StatusService,
        StatusMetrics,
      ],
    };
  }
}
