import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { HiveClient } from '@waggle/chain';
import { poolOf, Registry } from '@waggle/service';
import { countHiveCalls } from '@waggle/service/chain';
import { DataSource } from 'typeorm';
import { LocalMethods } from './local-methods';
import { createSources } from './declaration/sources';

const HIVE_CLIENT = Symbol('HiveClient');

/** Provides the local methods, on the application's data source. */
@Module({})
export class LocalModule implements OnApplicationShutdown {
  constructor(@Inject(HIVE_CLIENT) private readonly hive: HiveClient) {}

  /** @param nodes for data of accounts that is not indexed */
  static forRoot(nodes: readonly string[]): DynamicModule {
    return {
      module: LocalModule,
      providers: [
        {
          provide: HIVE_CLIENT,
          inject: [Registry],
          // Changes of the nodes are logged by the backends, which call them more often.
          useFactory: (metrics: Registry) => new HiveClient({ urls: nodes, onOutcome: countHiveCalls(metrics) }),
        },
        {
          provide: LocalMethods,
          inject: [DataSource, HIVE_CLIENT],
          useFactory: (dataSource: DataSource, hive: HiveClient) =>
            new LocalMethods(createSources(poolOf(dataSource), hive)),
        },
      ],
      exports: [LocalMethods],
    };
  }

  /** Only now, because calls in flight need the nodes until the HTTP server has closed. */
  async onApplicationShutdown(): Promise<void> {
    await this.hive.close();
  }
}
