import { isRecord, listIn, numberIn, numberOrNullIn, textIn } from '../parse';

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

/** The state of the gateway. Blocks and the lag are null until they are known. */
export interface GatewayState {
  headBlock: number | null;
  irreversibleBlock: number | null;
  nodes: NodeState[];
  /** Calls since the gateway started, by the source of the response. Those that the gateway answered itself are left out. */
  calls: { index: number; upstream: number; cache: number };
  index: IndexState;
}

/** @throws Error if the request fails, its status is an error, or the response has another shape */
export async function getState(): Promise<GatewayState> {
  const response = await fetch('state.json');
  if (!response.ok) throw new Error(`status ${response.status}`);
  const body: unknown = await response.json();
  const { calls, index } = isRecord(body) ? body : {};
  return {
    headBlock: numberOrNullIn(body, 'head_block'),
    irreversibleBlock: numberOrNullIn(body, 'irreversible_block'),
    nodes: listIn(body, 'nodes').map((node) => ({
      backend: textIn(node, 'backend'),
      name: textIn(node, 'node'),
      state: textIn(node, 'state'),
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
      unmet: listIn(index, 'unmet').map((each) => ({ need: textIn(each, 'need'), reason: textIn(each, 'reason') })),
    },
  };
}
