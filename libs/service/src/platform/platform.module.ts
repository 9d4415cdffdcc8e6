import {
  Module,
  type ClassProvider,
  type DynamicModule,
  type FactoryProvider,
  type ValueProvider,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { POOL, poolOf } from '../database/pool';
import { OperationsModule } from '../http/operations.module';
import { LOGGER } from '../observability/logging';
import { ListReads } from '../responses/list-reads';
import { ResponseLimits } from '../responses/response-limits';
import { Platform } from './platform';

interface PlatformModuleOptions {
  readonly database: DataSourceOptions;
  /** The statement that shows that the database can be used; `SELECT 1` by default. */
  readonly databaseCheck?: string;
  /** What the features of the service share besides. */
  readonly shared?: readonly (ClassProvider | FactoryProvider | ValueProvider)[];
}

/** Connects the database, serves health and metrics, and makes the platform injectable everywhere. */
@Module({})
export class PlatformModule {
  static forRoot(
    platform: Platform,
    { database, databaseCheck = 'SELECT 1', shared = [] }: PlatformModuleOptions,
  ): DynamicModule {
    const { logger, readiness, responseLimits } = platform;
    const pool = {
      provide: POOL,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => {
        readiness.add({ name: 'database', check: () => dataSource.query(databaseCheck) });
        return poolOf(dataSource);
      },
    };
    const limits = responseLimits && [
      { provide: ResponseLimits, useValue: responseLimits },
      { provide: ListReads, useValue: new ListReads(responseLimits) },
    ];
    const providers = [
      { provide: Platform, useValue: platform },
      { provide: LOGGER, useValue: logger },
      pool,
      ...(limits ?? []),
      ...shared,
    ];
    return {
      module: PlatformModule,
      global: true,
      imports: [
        OperationsModule.forRoot(platform),
        TypeOrmModule.forRoot({ ...database, retryAttempts: 5, retryDelay: 1_000 }),
      ],
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
