import { type DynamicModule, Module } from '@nestjs/common';
import { HiveClient } from '@waggle/chain';
import { Platform, POOL } from '@waggle/service';
import { countHiveCalls } from '@waggle/service/chain';
import { type Pool } from 'pg';
import { IndexStatus } from '../index-state/index-status';
import { type RouteSettings } from '../routes/read-route-file';
import { Upstream } from '../upstream/upstream';
import { createSources } from './declaration/sources';
import { LocalCalls } from './local-calls';

export interface LocalSettings {
  readonly hive: { readonly nodes: string[] };
  readonly routes: Pick<RouteSettings, 'backends'>;
}

/** Answers local methods from the index. */
@Module({})
export class LocalModule {
  static forRoot({ hive: { nodes }, routes: { backends } }: LocalSettings): DynamicModule {
    const cursorBackends = backends.filter(({ sharesCursors }) => sharesCursors).map(({ name }) => name);
    const calls = {
      provide: LocalCalls,
      inject: [POOL, IndexStatus, Upstream, Platform],
      useFactory: (database: Pool, index: IndexStatus, upstream: Upstream, platform: Platform) => {
        // Changes of the nodes are logged by the backends, which call them more often.
        const hive = new HiveClient({ urls: nodes, onOutcome: countHiveCalls(platform.metrics) });
        platform.onClose(() => hive.close());
        const currentBlock = () => {
          const { contents } = index.view;
          return typeof contents === 'string' ? undefined : `${contents.indexId}/${contents.block}`;
        };
        return new LocalCalls(createSources(database, hive, currentBlock), index, upstream, new Set(cursorBackends));
      },
    };
    return { module: LocalModule, global: true, providers: [calls], exports: [LocalCalls] };
  }
}
