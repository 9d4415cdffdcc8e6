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
    const caller = { resolve, reject, onReleased };
    pool.dispatch(request, new ResponseReader({ budget, timeoutMs, readsBody }, cancellation, caller));
  });
}

/** The caller of `sendRequest`. */
interface Caller {
  readonly resolve: (response: HttpResponse) => void;
  readonly reject: (error: Error) => void;
  readonly onReleased: () => void;
}

/** Reads the response of one request, and ends the request when it is cancelled or takes too long. */
class ResponseReader implements Dispatcher.DispatchHandler {
  private readonly body = new GrowingBuffer();
  private errorPageBytes = 0;
  private status = 0;
  private retryAfter: HttpResponse['retryAfter'];
  private readonly timer: NodeJS.Timeout | undefined;
  /** Undefined while the request waits for a connection. */
  private controller: Dispatcher.DispatchController | undefined;
  private endedBy: Error | undefined;

  constructor(
    private readonly limits: Pick<HttpRequest, 'budget' | 'timeoutMs' | 'readsBody'>,
    private readonly cancellation: Cancellation,
    private readonly caller: Caller,
  ) {
    if (limits.timeoutMs !== undefined) this.timer = setTimeout(this.expire, limits.timeoutMs);
    cancellation.add(this.cancel);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Throwing costs nothing; `abort` would close the connection, and others wait for it.
    if (this.endedBy !== undefined) throw this.endedBy;
    this.controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.status = statusCode;
    this.retryAfter = headers['retry-after'];
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.limits.readsBody(this.status)) {
      this.errorPageBytes += chunk.length;
      if (this.errorPageBytes > maxErrorPageBytes) controller.abort(new Error('too long an error page'));
    } else if (this.limits.budget?.take(chunk.length) === false) {
      controller.abort(new OverBudgetError('no room'));
    } else {
      this.body.append(chunk);
    }
  }

  onResponseEnd(): void {
    this.caller.resolve(this.response());
    this.release();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.limits.budget?.giveBack(this.body.length);
    // The status of an error page says enough, even if its text is cut off.
    const isErrorPage = this.status > 0 && !this.limits.readsBody(this.status) && this.endedBy === undefined;
    if (isErrorPage) this.caller.resolve(this.response());
    else this.caller.reject(error);
    this.release();
  }

  private readonly cancel = (): void => {
    this.end(new CancelledError('cancelled'));
  };

  private readonly expire = (): void => {
    this.end(new RequestTimeoutError('no response in time'));
  };

  private end(reason: Error): void {
    this.endedBy ??= reason;
    if (this.controller === undefined) this.caller.reject(reason);
    else this.controller.abort(reason);
  }

  private response(): HttpResponse {
    return { status: this.status, retryAfter: this.retryAfter, body: this.body.bytes };
  }

  private release(): void {
    clearTimeout(this.timer);
    this.cancellation.delete(this.cancel);
    this.caller.onReleased();
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
