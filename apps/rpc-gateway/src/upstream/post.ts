import { type Dispatcher } from 'undici';
import { type ResponseByteBudget } from '../rpc/response-byte-budget';

/** By which whoever waits for answers ends what is still on its way. */
export class BreakOff {
  isDone = false;
  /** Whether there is an answer already, rather than no more time. */
  isAnswered = false;
  private readonly running = new Set<() => void>();

  /** Ends all that runs, and whatever begins later. */
  now(): void {
    this.isDone = true;
    for (const end of this.running) end();
  }

  begin(end: () => void): void {
    this.running.add(end);
    if (this.isDone) end();
  }

  end(end: () => void): void {
    this.running.delete(end);
  }
}

/** Why a post was ended by ourselves. */
export class BrokenOffError extends Error {
  override readonly name = 'BrokenOffError';
}

/** There was no room for the answer. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';
}

export interface JsonPost {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** For what comes back; without it there is as much as the pool allows. */
  readonly budget: ResponseByteBudget | undefined;
}

export interface Posted {
  readonly status: number;
  readonly retryAfter: string | readonly string[] | undefined;
  /** Empty unless the status is one of success. */
  readonly body: Buffer;
}

/**
 * Posts JSON over a pool. By undici's handlers: a read by its `request` took twice as much of the processor's time, most of
 * it for the signal by which it can be broken off.
 *
 * @param onGone called once, when the pool holds nothing of it any more. What is broken off while it waits for a
 *   connection is rejected at once, and stays in the line of the pool until its turn comes.
 * @throws BrokenOffError, NoRoomError, or what undici says where there is no whole answer
 */
export function post(
  pool: Dispatcher,
  { budget, ...request }: JsonPost,
  breakOff: BreakOff,
  onGone: () => void,
): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status = 0;
    let retryAfter: Posted['retryAfter'];
    let controller: Dispatcher.DispatchController | undefined;
    const end = () => {
      const reason = new BrokenOffError('broken off');
      if (controller === undefined) reject(reason);
      else controller.abort(reason);
    };
    breakOff.begin(end);
    pool.dispatch(
      { method: 'POST', ...request },
      {
        onRequestStart: (started) => {
          // Thrown, it costs nothing; `abort` would close the connection, which others wait for.
          if (breakOff.isDone) throw new BrokenOffError('broken off');
          controller = started;
        },
        onResponseStart: (_controller, statusCode, headers) => {
          status = statusCode;
          retryAfter = headers['retry-after'];
        },
        onResponseData: (started, chunk) => {
          if (!isSuccess(status)) return;
          if (budget?.take(chunk.length) === false) {
            started.abort(new NoRoomError('no room'));
            return;
          }
          bytes += chunk.length;
          chunks.push(chunk);
        },
        onResponseEnd: () => {
          breakOff.end(end);
          resolve({ status, retryAfter, body: joined(chunks) });
          onGone();
        },
        onResponseError: (_controller, error) => {
          breakOff.end(end);
          budget?.giveBack(bytes);
          reject(error);
          onGone();
        },
      },
    );
  });
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** One that came whole is not copied. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
}
