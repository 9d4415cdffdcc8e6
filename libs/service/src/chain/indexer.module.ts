import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type DataSourceOptions } from 'typeorm';
import { type Readiness } from '../readiness';
import { type Registry } from 'prom-client';
import { OperationsModule } from '../operations.module';

/** What an indexer serves over HTTP: health and metrics. */
@Module({})
export class IndexerModule {
  static forRoot(database: DataSourceOptions, operations: { readiness: Readiness; metrics: Registry }): DynamicModule {
    return {
      module: IndexerModule,
      imports: [
        OperationsModule.forRoot(operations),
        TypeOrmModule.forRoot({ ...database, retryAttempts: 5, retryDelay: 1_000 }),
      ],
    };
  }
}
