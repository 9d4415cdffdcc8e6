import { type UnmetNeed } from '@waggle/contracts';
import { type IndexStatus } from '../index-state/index-status';
import { needNames, unmetNeeds } from '../index-state/needs';
import { type CallMetrics } from '../endpoints/call-metrics';
import { type ResponseSource } from '../rpc/rpc-response';
import { type Backend } from '../upstream/backend';
import { type ChainHead } from '../upstream/chain-head';

/** What the status page shows: the response of `/status/state.json`. Blocks are null until they are known. */
export interface GatewayState {
  head_block: number | null;
  irreversible_block: number | null;
  nodes: { backend: string; node: string; state: string; head_block: number | null; calls: number }[];
  /** Calls since this process started. */
  calls: Readonly<Record<ResponseSource, number>>;
  index: {
    block: number | null;
    block_time: string | null;
    first_block: number | null;
    lag_seconds: number | null;
    needs: readonly string[];
    unmet: readonly UnmetNeed[];
  };
}

export interface StatusSources {
  readonly backends: readonly Backend[];
  readonly head: ChainHead;
  readonly index: IndexStatus;
  readonly calls: CallMetrics;
}

export function gatewayState({ backends, head, index, calls }: StatusSources): GatewayState {
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
      needs: needNames,
      unmet: unmetNeeds(needNames, view),
    },
  };
}
