import { Gauge, observeValue, type Registry } from '@waggle/service';
import { type IndexStatus } from './index-status';
import { needNames, unmetNeeds } from './needs';

/**
 * Registers gauges that report, at each scrape, which needs (`needs.ts`) the index meets, its last block and its lag.
 */
export function observeIndex(registry: Registry, index: Pick<IndexStatus, 'view'>): void {
  const needs = new Gauge({
    name: 'rpc_gateway_index_need_met',
    help: '1 if the index meets a need of local methods, 0 if those methods are forwarded',
    labelNames: ['need'],
    registers: [registry],
    collect: () => {
      const unmet = new Set(unmetNeeds(needNames, index.view).map(({ need }) => need));
      for (const need of needNames) needs.set({ need }, unmet.has(need) ? 0 : 1);
    },
  });
  observeValue(registry, 'rpc_gateway_index_block', 'Last block of the index; NaN if it is unknown', () => {
    const { contents } = index.view;
    return typeof contents === 'string' ? NaN : contents.block;
  });
  observeValue(
    registry,
    'rpc_gateway_index_lag_seconds',
    'How far the index is behind the last irreversible block; NaN if it is unknown',
    () => index.view.lag?.seconds ?? NaN,
  );
}
