import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { Platform, POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { ChainHead } from '../upstream/chain-head';
import { observeIndex } from './index-metrics';
import { type IndexSettings, IndexStatus } from './index-status';
import { reportIndex } from './needs';

/** Knows what the index contains, and reports it. */
@Module({})
export class IndexStateModule implements OnModuleInit {
  static forRoot(settings: IndexSettings): DynamicModule {
    const status = {
      provide: IndexStatus,
      inject: [POOL, ChainHead, Platform],
      useFactory: (database: Pool, head: ChainHead, { logger }: Platform) =>
        new IndexStatus({ database, head, logger, ...settings }),
    };
    return { module: IndexStateModule, global: true, providers: [status], exports: [IndexStatus] };
  }

  constructor(
    private readonly index: IndexStatus,
    platform: Platform,
  ) {
    observeIndex(platform.metrics, index);
    platform.readiness.addDetail('index', () => reportIndex(index.view));
    platform.onClose(() => {
      index.stop();
    });
  }

  async onModuleInit(): Promise<void> {
    await this.index.start();
  }
}
