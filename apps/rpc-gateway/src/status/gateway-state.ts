import { z } from 'zod';
import { type IndexStatus } from '../index-state/index-status';
import { needNames, unmetNeeds } from '../index-state/needs';
import { type CallMetrics } from '../endpoints/call-metrics';
import { type Backend } from '../upstream/backend';
import { type ChainHead } from '../upstream/chain-head';

const block = z.int().min(0).nullable();
const count = z.int().min(0);

/** What the status page shows: the response of `/status/state.json`. Blocks are null until they are known. */
export const gatewayState = z.strictObject({
  head_block: block,
  irreversible_block: block,
  nodes: z.array(
    z.strictObject({
      backend: z.string(),
      node: z.string(),
      state: z.enum(['usable', 'lagging', 'ahead', 'ejected']),
      head_block: block,
      calls: count.meta({ description: 'Calls in flight or queued' }),
    }),
  ),
  calls: z
    .strictObject({ index: count, upstream: count, cache: count, gateway: count })
    .meta({ description: 'Calls since this process started, by the source of their response' }),
  index: z.strictObject({
    block,
    block_time: z.iso.datetime().nullable(),
    first_block: block,
    lag_seconds: count.nullable(),
    needs: z.array(z.string()),
    unmet: z.array(z.strictObject({ need: z.string(), reason: z.string() })),
  }),
});
export type GatewayState = z.infer<typeof gatewayState>;

export interface StatusSources {
  readonly backends: readonly Backend[];
  readonly head: ChainHead;
  readonly index: IndexStatus;
  readonly calls: CallMetrics;
}

export function gatewayStateOf({ backends, head, index, calls }: StatusSources): GatewayState {
  const { view } = index;
  const contents = typeof view.contents === 'string' ? undefined : view.contents;
  return {
    head_block: head.block === 0 ? null : head.block,
    irreversible_block: head.irreversibleBlock ?? null,
    nodes: backends.flatMap(({ name: backend, nodes }) =>
      nodes.map((node) => ({
        backend,
        node: node.name,
        state: node.health.state,
        head_block: node.head?.block ?? null,
        calls: node.load,
      })),
    ),
    calls: calls.bySource,
    index: {
      block: contents?.block ?? null,
      block_time: contents?.blockTime.toISOString() ?? null,
      first_block: contents?.firstBlock ?? null,
      lag_seconds: view.lag?.seconds ?? null,
      needs: [...needNames],
      unmet: unmetNeeds(needNames, view),
    },
  };
}
