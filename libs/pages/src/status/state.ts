import { arrayIn, isRecord, numberIn, numberOrNullIn, stringIn } from '../parse';

/** A Hive node that the gateway calls. */
export interface NodeState {
  backend: string;
  name: string;
  /** `usable`; `lagging` or `ahead`: its head differs from that of the other nodes; `ejected`: it fails calls. */
  state: string;
  headBlock: number | null;
  /** Calls in flight or queued. */
  openCalls: number;
}

export interface IndexState {
  block: number | null;
  firstBlock: number | null;
  lagSeconds: number | null;
  /** What local methods need and the index lacks. These methods are forwarded to the nodes. */
  unmet: { need: string; reason: string }[];
}

/** How long the gateway may take to respond, in milliseconds. */
const timeoutMs = 10_000;

/** The state of the gateway. Blocks and the lag are null until they are known. */
export interface GatewayState {
  headBlock: number | null;
  irreversibleBlock: number | null;
  nodes: NodeState[];
  /** Calls since the gateway started, by the source of the response, without those that have none, such as calls of unknown methods. */
  calls: { index: number; upstream: number; cache: number };
  index: IndexState;
}

/** @throws Error if the request fails or takes too long, its status is an error, or the response has another shape */
export async function getState(): Promise<GatewayState> {
  const response = await fetch('state.json', { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const body: unknown = await response.json();
  const { calls, index } = isRecord(body) ? body : {};
  return {
    headBlock: numberOrNullIn(body, 'head_block'),
    irreversibleBlock: numberOrNullIn(body, 'irreversible_block'),
    nodes: arrayIn(body, 'nodes').map((node) => ({
      backend: stringIn(node, 'backend'),
      name: stringIn(node, 'node'),
      state: stringIn(node, 'state'),
      headBlock: numberOrNullIn(node, 'head_block'),
      openCalls: numberIn(node, 'calls'),
    })),
    calls: {
      index: numberIn(calls, 'index'),
      upstream: numberIn(calls, 'upstream'),
      cache: numberIn(calls, 'cache'),
    },
    index: {
      block: numberOrNullIn(index, 'block'),
      firstBlock: numberOrNullIn(index, 'first_block'),
      lagSeconds: numberOrNullIn(index, 'lag_seconds'),
      unmet: arrayIn(index, 'unmet').map((each) => ({
        need: stringIn(each, 'need'),
        reason: stringIn(each, 'reason'),
      })),
    },
  };
}
