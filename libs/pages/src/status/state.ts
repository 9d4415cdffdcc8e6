import { arrayIn, isRecord, numberIn, numberOrNullIn, stringIn } from '../parse';

/** Maximum time that the gateway may take to respond, in milliseconds. */
const timeoutMs = 10_000;

/** The state of the gateway. Blocks and the lag are null until they are known. */
export type GatewayState = Awaited<ReturnType<typeof getState>>;

/** A Hive node that the gateway calls. */
export type NodeState = GatewayState['nodes'][number];

export type IndexState = GatewayState['index'];

/** @throws Error if the request fails or takes too long, its status is an error, or the response has another shape */
export async function getState() {
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
      /** `usable`; `lagging` or `ahead`: its head differs from the other nodes' head; `ejected`: it fails calls. */
      state: stringIn(node, 'state'),
      headBlock: numberOrNullIn(node, 'head_block'),
      /** Calls in flight or queued. */
      openCalls: numberIn(node, 'calls'),
    })),
    /**
     * Calls since the gateway started, by the source of the response, without those that have none, such as calls of
     * unknown methods.
     */
    calls: {
      index: numberIn(calls, 'index'),
      upstream: numberIn(calls, 'upstream'),
      cache: numberIn(calls, 'cache'),
    },
    index: {
      block: numberOrNullIn(index, 'block'),
      firstBlock: numberOrNullIn(index, 'first_block'),
      lagSeconds: numberOrNullIn(index, 'lag_seconds'),
      /** What local methods need and the index lacks. These methods are forwarded to the nodes. */
      unmet: arrayIn(index, 'unmet').map((each) => ({
        need: stringIn(each, 'need'),
        reason: stringIn(each, 'reason'),
      })),
    },
  };
}
