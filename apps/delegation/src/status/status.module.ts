import { Inject, Module } from '@nestjs/common';
import { POOL, Readiness } from '@waggle/service';
import { type Pool } from 'pg';
import { findIndexPosition } from '../index-state/index-position.statements';
import { StatusController } from './status.controller';
import { StatusMetrics } from './status.metrics';
import { StatusService } from './status.service';

/** Serves the progress of the index. */
@Module({ controllers: [StatusController], providers: [StatusService, StatusMetrics] })
export class StatusModule {
  constructor(@Inject(Readiness) readiness: Readiness, @Inject(POOL) pool: Pool) {
    // Not ready before the first state is loaded. The lag of the indexer is in each response.
    readiness.add({ name: 'index', check: () => findIndexPosition(pool) });
  }
}
