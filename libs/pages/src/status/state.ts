import { isRecord, numberIn, numberOrNullIn, textIn } from '../parse';

export interface Node {
  backend: string;
  node: string;
  /** `usable`, `lagging`, `ahead` or `ejected`. */
  state: string;
  headBlock: number | null;
  /** Calls that run or wait. */
  openCalls: number;
}

export interface Index {
  block: number | null;
  firstBlock: number | null;
  lagSeconds: number | null;
  /** Why local methods go to the nodes. */
  unmet: { need: string; reason: string }[];
}

/** The state of the gateway. Blocks are null until they are known. */
export interface State {
  headBlock: number | null;
  irreversibleBlock: number | null;
  nodes: Node[];
  /** Calls since the start by the source of their response. */
  calls: { index: number; upstream: number; cache: number };
  index: Index;
}

/** @throws Error if the gateway does not respond */
export async function getState(): Promise<State> {
  const response = await fetch('state.json');
  if (!response.ok) throw new Error(`status ${response.status}`);
  const body: unknown = await response.json();
  const { calls, index } = isRecord(body) ? body : {};
  return {
    headBlock: numberOrNullIn(body, 'head_block'),
    irreversibleBlock: numberOrNullIn(body, 'irreversible_block'),
    nodes: listIn(body, 'nodes').map((node) => ({
      backend: textIn(node, 'backend'),
      node: textIn(node, 'node'),
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

function listIn(value: unknown, field: string): unknown[] {
  const found = isRecord(value) ? value[field] : undefined;
  return Array.isArray(found) ? found : [];
}
