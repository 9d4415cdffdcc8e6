import { NodeError } from './errors';
import { type Call } from './api/json-rpc';
import { isFields } from './fields';
import { type Lie } from './lies';

/**
 * An answer that is of no use: a proxy's error page with status 200 or its own, JSON cut in the middle, an empty body,
 * the answer to another request, a connection that breaks in the middle of the body, or before anything is answered.
 */
export type WrongAnswer = 'html' | 'truncated' | 'empty' | 'wrong-id' | 'cut' | 'reset' | 429 | 502 | 503;

/** How a node misbehaves; several faults may be set together. What was asked for is done all the same, but for `error`. */
export interface Faults {
  /** Milliseconds that each answer waits. */
  readonly slowMs?: number;
  /** Whether it never answers: the client has to leave. */
  readonly hangs?: boolean;
  /** What is answered in the place of the answer. */
  readonly wrong?: WrongAnswer;
  /** The `error` with which each call is refused, of whatever shape; nothing is done then. */
  readonly error?: unknown;
  /** Only requests that call one of these methods, by their full names, meet the faults above; default all. */
  readonly onlyMethods?: readonly string[];
  /** How many blocks older than the chain the answers are. */
  readonly behindBlocks?: number;
  /** How many blocks beyond the true one it says that the last irreversible block is. */
  readonly irreversibleAhead?: number;
  readonly lies?: readonly Lie[];
  /** Returns what a call is answered in the place of the true result, for lies that are none of `lies`. */
  readonly distort?: (call: Call, result: unknown) => unknown;
  /** APIs that it does not have, such as `account_history_api`. */
  readonly without?: readonly string[];
}

export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** The length that is told, where the connection ends before it. */
  readonly promisedBytes?: number;
}

/** Whether a request that calls these methods meets the faults that do not last. */
export function isMet({ onlyMethods }: Faults, methods: readonly string[]): boolean {
  return !onlyMethods || methods.some((method) => onlyMethods.includes(method));
}

/** A refusal in the words of the fault. */
export class RefusedByFault extends NodeError {
  constructor(private readonly error: unknown) {
    super(0, 'a fault');
  }

  override toJSON(): unknown {
    return this.error;
  }
}

/** The HTTP answer to a JSON-RPC result, spoilt where the fault asks for it. */
export function httpAnswer(result: unknown, wrong: Exclude<WrongAnswer, 'reset'> | undefined): HttpAnswer {
  const json = (body: string): HttpAnswer => ({ status: 200, contentType: 'application/json', body });
  const text = JSON.stringify(result);
  switch (wrong) {
    case undefined:
      return json(text);
    case 'truncated':
      return json(text.slice(0, text.length / 2));
    case 'cut':
      return { ...json(text.slice(0, text.length / 2)), promisedBytes: Buffer.byteLength(text) };
    case 'empty':
      return json('');
    case 'wrong-id':
      return json(JSON.stringify(Array.isArray(result) ? result.map(withOtherId) : withOtherId(result)));
    case 'html':
      return { ...page, status: 200 };
    default:
      return { ...page, status: wrong };
  }
}

const page = { contentType: 'text/html', body: '<html><body><h1>The node is not available</h1></body></html>' };

function withOtherId(response: unknown): unknown {
  return isFields(response) ? { ...response, id: 'of-another-request' } : response;
}
