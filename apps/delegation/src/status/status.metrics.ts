import { Inject, Injectable } from '@nestjs/common';
import { Gauge, POOL, Registry } from '@waggle/service';
import { type Pool } from 'pg';
import { type IndexState } from '../index-state/index-state';
import { findIndexState } from '../index-state/index-state.statements';

/**
 * What an alert is made of when no indexer runs at all: read from the database when metrics are asked for. While that is
 * away it is what was known last, of which the age grows.
 */
@Injectable()
export class StatusMetrics {
  private known: IndexState | undefined;

  constructor(
    @Inject(Registry) private readonly registry: Registry,
    @Inject(POOL) private readonly pool: Pool,
  ) {
    this.gauge('delegation_synced_block', 'The last block that the answers know', ({ syncedBlock }) => syncedBlock);
    this.gauge('delegation_sync_lag_seconds', 'Age of the last block that the answers know', ({ syncedTime }) =>
      syncedTime === null ? undefined : (Date.now() - syncedTime.getTime()) / 1_000,
    );
  }

  /** Each gauge asks for itself: those of a registry are read side by side. */
  private gauge(name: string, help: string, valueOf: (state: IndexState) => number | undefined): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      collect: async () => {
        this.known = (await findIndexState(this.pool).catch(() => undefined)) ?? this.known;
        const value = this.known && valueOf(this.known);
        // Not 0, which would say that all is well.
        if (value === undefined) gauge.remove();
        else gauge.set(value);
      },
    });
  }
}
