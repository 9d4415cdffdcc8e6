import { z } from 'zod';
import { type IndexStatus } from '../index-state/index-status';
import { needNames, unmetNeeds } from '../index-state/needs';
import { type CallMetrics } from '../endpoints/call-metrics';
import { type Backend } from '../upstream/backend';
import { type ChainHead } from '../upstream/chain-head';

const blockNumber = z.int().min(0).nullable();
const count = z.int().min(0);

/** What the status page shows: the response of `/status/state.json`. Blocks are null until they are known. */
export const gatewayState = z.strictObject({
  head_block: blockNumber,
  irreversible_block: blockNumber,
  nodes: z.array(
    z.strictObject({
      backend: z.string(),
      node: z.string(),
      state: z.enum(['usable', 'lagging', 'ahead', 'ejected']).meta({
        description:
          '`lagging`, `ahead`: its head does not agree with the other nodes. `ejected`: its last calls failed',
      }),
      head_block: blockNumber,
      calls: count.meta({ description: 'Calls in flight or queued' }),
    }),
  ),
  calls: z
    .strictObject({ index: count, upstream: count, cache: count, gateway: count })
    .meta({ description: 'Calls since this process started, by the source of their response' }),
  index: z.strictObject({
    block: blockNumber,
    block_time: z.iso.datetime().nullable(),
    first_block: blockNumber,
    lag_seconds: count.nullable(),
    needs: z.array(z.string()).meta({ description: 'What local methods may need from the index' }),
    unmet: z
      .array(z.strictObject({ need: z.string(), reason: z.string() }))
      .meta({ description: 'What the index lacks, and why: methods that need it are forwarded' }),
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
