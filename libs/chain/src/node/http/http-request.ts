import { type Dispatcher } from 'undici';
import { GrowingBuffer } from '../../growing-buffer';
import { type Cancellation } from '../cancellation';

/** Maximum size of an error page that is read to the end, so that its connection can be used again. */
const maxErrorPageBytes = 16_384;

/** Limits the bytes of responses that are in memory. */
export interface ByteBudget {
  /** Takes the bytes, or none of them. @returns whether they fit */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

/** Rejects a request that was cancelled. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

/** Rejects a request that took longer than its own time limit. */
export class RequestTimeoutError extends Error {
  override readonly name = 'RequestTimeoutError';
}

/** Rejects a request whose response does not fit its budget. */
export class OverBudgetError extends Error {
  override readonly name = 'OverBudgetError';
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  /** Whether the body of a response with this status is read. */
  readonly readsBody: (status: number) => boolean;
  /** Limits the bytes of the response; without it only the pool limits them. */
  readonly budget: ByteBudget | undefined;
  /** Time limit of the request; without it only the cancellation ends the request. */
  readonly timeoutMs: number | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly retryAfter: string | readonly string[] | undefined;
  /** Empty unless `readsBody` allows the status. */
  readonly body: Buffer;
}

/**
 * Sends a request over a pool. It uses undici's handlers: `request` took twice as much processor time for a read, most
 * of it for the abort signal.
 *
 * @param onReleased called once, when the pool no longer holds the request. A request that is ended while it waits for
 * a connection is rejected at once, but stays in the queue of the pool until its turn comes.
 * @throws CancelledError, RequestTimeoutError, OverBudgetError, or an error of undici if there is no complete response
 */
export function sendRequest(
  pool: Dispatcher,
  { budget, timeoutMs, readsBody, ...request }: HttpRequest,
  cancellation: Cancellation,
  onReleased: () => void,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const body = new GrowingBuffer();
    let errorPageBytes = 0;
    let status = 0;
    let retryAfter: HttpResponse['retryAfter'];
    let controller: Dispatcher.DispatchController | undefined;
    let endedBy: Error | undefined;
    const end = (reason: Error): void => {
      endedBy ??= reason;
      if (controller === undefined) reject(reason);
      else controller.abort(reason);
    };
    const cancel = (): void => {
      end(new CancelledError('cancelled'));
    };
    const expire = (): void => {
      end(new RequestTimeoutError('no response in time'));
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
    const release = (): void => {
      clearTimeout(timer);
      cancellation.delete(cancel);
      onReleased();
    };
    cancellation.add(cancel);
    pool.dispatch(request, {
      onRequestStart: (started) => {
        // Throwing costs nothing; `abort` would close the connection, and others wait for it.
        if (endedBy !== undefined) throw endedBy;
        controller = started;
      },
      onResponseStart: (_controller, statusCode, headers) => {
        status = statusCode;
        retryAfter = headers['retry-after'];
      },
      onResponseData: (started, chunk) => {
        if (!readsBody(status)) {
          errorPageBytes += chunk.length;
          if (errorPageBytes > maxErrorPageBytes) started.abort(new Error('too long an error page'));
          return;
        }
        if (budget?.take(chunk.length) === false) {
          started.abort(new OverBudgetError('no room'));
          return;
        }
        body.append(chunk);
      },
      onResponseEnd: () => {
        resolve({ status, retryAfter, body: body.bytes });
        release();
      },
      onResponseError: (_controller, error) => {
        budget?.giveBack(body.length);
        const isErrorPage = status > 0 && !readsBody(status) && endedBy === undefined;
        if (isErrorPage) resolve({ status, retryAfter, body: body.bytes });
        else reject(error);
        release();
      },
    });
  });
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
