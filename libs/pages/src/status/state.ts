import { arrayIn, isRecord, numberIn, numberOrNullIn, stringIn } from '../parse';

/** Maximum time that the gateway may take to respond, in milliseconds. */
const timeoutMs = 10_000;

/** The state of the gateway. Blocks and the lag are null until they are known. */
export type GatewayState = ReturnType<typeof toState>;

/** A Hive node that the gateway calls. */
export type NodeState = GatewayState['nodes'][number];

export type IndexState = GatewayState['index'];

/** The gateway responded, but not with its state. */
export class UnexpectedResponseError extends Error {}

/** @throws UnexpectedResponseError; other errors if the gateway does not respond in time */
export async function getState(): Promise<GatewayState> {
  const response = await fetch('state.json', { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new UnexpectedResponseError(`status ${response.status}`);
  const text = await response.text();
  try {
    return toState(JSON.parse(text));
  } catch (cause) {
    throw new UnexpectedResponseError('the response has another form', { cause });
  }
}

function toState(body: unknown) {
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
