import { NodeError } from '../errors';
import { type Call } from '../api/json-rpc';
import { isFields } from '../fields';
import { type Lie } from './lies';

/**
 * An unusable response:
 * - `html`: a proxy's error page with status 200; a number: with that status
 * - `truncated`: half of the JSON as a complete response
 * - `aborted`: half of the JSON, then the connection breaks
 * - `reset`: no response: the connection is reset
 * - `wrong-id`: the response to another request
 */
export type UnusableResponse = 'html' | 'truncated' | 'empty' | 'wrong-id' | 'aborted' | 'reset' | 429 | 502 | 503;

/** Injected faults of a node; several may be set together. Except with `error`, calls are executed. */
export interface Faults {
  /** Delay of each response in milliseconds. */
  readonly slowMs?: number;
  /** Whether it never responds. */
  readonly hangs?: boolean;
  /** The response that is sent instead. */
  readonly wrong?: UnusableResponse;
  /** The `error` member of each response, of any shape; calls are not executed. */
  readonly error?: unknown;
  /** Restricts the faults above to requests that call one of these methods, by full name; default all. */
  readonly onlyMethods?: readonly string[];
  /** Number of blocks that the node lags behind. */
  readonly behindBlocks?: number;
  /** Time that block_api and account_history_api lack a new block that other APIs have, as HAF does. */
  readonly storageDelayMs?: number;
  /** Number of blocks that the reported last irreversible block is too high. */
  readonly irreversibleAhead?: number;
  readonly lies?: readonly Lie[];
  /** Replaces the result of a call, for wrong data beyond `lies`. */
  readonly distort?: (call: Call, result: unknown) => unknown;
  /** APIs that it does not have, such as `account_history_api`. */
  readonly without?: readonly string[];
}

export interface HttpResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** The Content-Length of an aborted response. */
  readonly promisedBytes?: number;
}

/** Whether the faults apply to a request that calls these methods. */
export function appliesTo({ onlyMethods }: Faults, methods: readonly string[]): boolean {
  return !onlyMethods || methods.some((method) => onlyMethods.includes(method));
}

/** The error that `misbehave({ error })` injects. */
export class InjectedError extends NodeError {
  constructor(private readonly error: unknown) {
    super(0, 'an injected error');
  }

  override from(): unknown {
    return this.error;
  }
}

/** The HTTP response to a JSON-RPC result, with the injected fault. */
export function httpResponse(result: unknown, wrong: Exclude<UnusableResponse, 'reset'> | undefined): HttpResponse {
  const json = (body: string): HttpResponse => ({ status: 200, contentType: 'application/json', body });
  const text = JSON.stringify(result);
  switch (wrong) {
    case undefined:
      return json(text);
    case 'truncated':
      return json(text.slice(0, text.length / 2));
    case 'aborted':
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
