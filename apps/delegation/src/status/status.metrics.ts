import { Inject, Injectable } from '@nestjs/common';
import { Gauge, POOL, Registry } from '@waggle/service';
import { type Pool } from 'pg';
import { type IndexState } from '../index-state/index-state';
import { findIndexState } from '../index-state/index-state.statements';

/**
 * Metrics of the index for alerts that work without a running indexer: read from the database at each scrape. While the
 * database is unavailable, they show the last known state, whose age grows.
 */
@Injectable()
export class StatusMetrics {
  private known: IndexState | undefined;

  constructor(
    @Inject(Registry) private readonly registry: Registry,
    @Inject(POOL) private readonly pool: Pool,
  ) {
    this.gauge('delegation_synced_block', 'The last block that responses include', ({ syncedBlock }) => syncedBlock);
    this.gauge('delegation_sync_lag_seconds', 'Age of the last block that responses include', ({ syncedTime }) =>
      syncedTime === null ? undefined : (Date.now() - syncedTime.getTime()) / 1_000,
    );
  }

  /** Each gauge reads by itself, since a registry collects them concurrently. */
  private gauge(name: string, help: string, valueOf: (state: IndexState) => number | undefined): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      collect: async () => {
        this.known = (await findIndexState(this.pool).catch(() => undefined)) ?? this.known;
        const value = this.known && valueOf(this.known);
        // Not 0, which would mean no lag.
        if (value === undefined) gauge.remove();
        else gauge.set(value);
      },
    });
  }
}
