import { isFields } from './fields';
import { type Lie } from './lies';

/**
 * An answer that is of no use: a proxy's error page with status 200 or its own, JSON cut in the middle, an empty body,
 * or the answer to another request.
 */
export type WrongAnswer = 'html' | 'truncated' | 'empty' | 'wrong-id' | 429 | 502 | 503;

/** How a node misbehaves; several faults may be set together. */
export interface Faults {
  /** Milliseconds that each answer waits. */
  readonly slowMs?: number;
  /** What is answered in the place of the answer. */
  readonly wrong?: WrongAnswer;
  /** How many blocks older than the chain the answers are. */
  readonly behindBlocks?: number;
  readonly lies?: readonly Lie[];
  /** APIs that it does not have, such as `account_history_api`. */
  readonly without?: readonly string[];
  /** Whether it refuses every call by a JSON-RPC error, as one does that lets nobody ask so often. */
  readonly refuses?: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** The HTTP answer to a JSON-RPC result, spoilt where the fault asks for it. */
export function httpAnswer(result: unknown, wrong: WrongAnswer | undefined): HttpAnswer {
  const json = (body: string): HttpAnswer => ({ status: 200, contentType: 'application/json', body });
  const text = JSON.stringify(result);
  switch (wrong) {
    case undefined:
      return json(text);
    case 'truncated':
      return json(text.slice(0, text.length / 2));
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
