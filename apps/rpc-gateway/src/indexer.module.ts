import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OperationsModule, type Readiness, type Registry } from '@waggle/service';
import { type IndexerConfig } from './config';
import { gatewayDatabase } from './database';

/** Connections besides that of the follower: for readiness. */
const poolSize = 2;

/** What the indexer serves over HTTP: health and metrics. */
@Module({})
export class IndexerModule {
  static forRoot(
    { database: { url } }: IndexerConfig,
    operations: { readiness: Readiness; metrics: Registry },
  ): DynamicModule {
    return {
      module: IndexerModule,
      imports: [
        OperationsModule.forRoot(operations),
        TypeOrmModule.forRoot({ ...gatewayDatabase({ url, poolSize }), retryAttempts: 5, retryDelay: 1_000 }),
      ],
    };
  }
}
