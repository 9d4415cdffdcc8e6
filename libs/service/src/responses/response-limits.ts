import { type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { Counter, type Registry } from 'prom-client';
import { ServiceError } from '../errors/errors';
import { observeValue } from '../observability/metrics';
import { ResponseAllowance, ResponseBudget, type ResponseHolder, uncountedBytes } from './response-budget';
import { ResponseRateLimiter } from './response-rate-limiter';
import { StreamedResponse } from './streamed-response';
import { UnsentResponses } from './unsent-responses';

/** A connection is cut off if its client reads nothing for this long, in milliseconds, while something is unsent. */
const defaultStallMs = 15_000;

export interface ResponseSettings {
  /** Memory of request bodies and unread responses together; a single client gets at most half of it. */
  readonly totalBytes: number;
  /** Long-term rate of responses over 4 KiB for each client, and each account. */
  readonly bytesPerSecond: number;
  /** Replaces `defaultStallMs` in tests. */
  readonly stallMs?: number;
}

/**
 * Limits the memory of request bodies and unread responses, the time that clients have to read them, and the bytes per
 * second of each client.
 */
export class ResponseLimits {
  private readonly budget: ResponseBudget;
  private readonly rateLimiter: ResponseRateLimiter;
  private readonly unsent: UnsentResponses;
  private readonly limited: Counter<'outcome'>;

  constructor({ totalBytes, bytesPerSecond, stallMs = defaultStallMs }: ResponseSettings, registry: Registry) {
    this.budget = new ResponseBudget(totalBytes);
    this.rateLimiter = new ResponseRateLimiter(bytesPerSecond);
    this.limited = new Counter({
      name: 'http_limited_responses_total',
      help: 'Requests rejected because of response bytes (rejected), and connections closed because the client read nothing (cut)',
      labelNames: ['outcome'],
      registers: [registry],
    });
    observeValue(
      registry,
      'http_unsent_response_bytes',
      'Bytes of request bodies and of responses that clients have not read yet, without those up to 4 KiB',
      () => this.budget.heldBytes,
    );
    this.unsent = new UnsentResponses(stallMs, () => {
      this.limited.inc({ outcome: 'cut' });
    });
  }

  /** Cuts off clients of the server that take nothing of a response, however small it is. */
  watch(server: Server): void {
    server.on('request', ({ socket }) => {
      this.unsent.watch(socket);
    });
  }

  /**
   * Milliseconds until the client may send the next request; 0 if it may now. Counts a rejected request if it may not.
   */
  waitMs({ client, account }: Partial<ResponseHolder>): number {
    const waitMs = Math.max(
      client === undefined ? 0 : this.rateLimiter.waitMs(client.keyFor(responseRateLimit)),
      account === undefined ? 0 : this.rateLimiter.waitMs(accountKey(account)),
    );
    if (waitMs > 0) this.countRejected();
    return waitMs;
  }

  /** @throws ServiceError `rate-limited` if the account got more bytes of responses than its rate limit allows */
  requireWithinRate(account: string): void {
    const retryAfterMs = this.waitMs({ account });
    if (retryAfterMs > 0)
      throw new ServiceError('rate-limited', tooManyBytes, { retryAfterMs, limit: responseRateLimit });
  }

  /** Charges a response that is sent. */
  charge({ client, account }: ResponseHolder, bytes: number): void {
    if (bytes <= uncountedBytes) return;
    const megabytesPerMinute = client.maxOf(responseRateLimit);
    const own = megabytesPerMinute === undefined ? {} : { bytesPerSecond: bytesPerSecondOf(megabytesPerMinute) };
    this.rateLimiter.charge(client.keyFor(responseRateLimit), bytes, own);
    if (account !== undefined) this.rateLimiter.charge(accountKey(account), bytes);
  }

  /** Creates the allowance of one response. */
  allowanceFor(holder: ResponseHolder): ResponseAllowance {
    return new ResponseAllowance(this.budget, holder);
  }

  /**
   * Releases the allowance once the response is flushed or its connection closes, and cuts off a client that takes
   * nothing meanwhile. Call it after the last `take`.
   */
  releaseWhenSent(socket: Socket, response: ServerResponse, allowance: ResponseAllowance): void {
    if (!allowance.isCounted) {
      this.unsent.watch(socket);
      return;
    }
    const isFlushed = response.writableEnded && response.socket === socket && socket.writableLength === 0;
    if (socket.destroyed || isFlushed) allowance.release();
    else this.unsent.track(socket, response, allowance);
  }

  /**
   * Begins a response without an end, whose head was written. Its unread bytes count against the holder, and its
   * connection is cut if the client takes nothing for too long while something is unread.
   */
  stream(holder: ResponseHolder, socket: Socket, response: ServerResponse): StreamedResponse {
    const allowance = this.allowanceFor(holder);
    if (!response.closed) this.unsent.track(socket, response, allowance);
    return new StreamedResponse(response, allowance, {
      charge: (bytes) => {
        this.charge(holder, bytes);
      },
      waitMs: () => this.rateLimiter.waitMs(holder.client.keyFor(responseRateLimit)),
    });
  }

  /** Counts a response that is not sent because it does not fit. */
  countRejected(): void {
    this.limited.inc({ outcome: 'rejected' });
  }
}

/** The name of the limit of bytes per second. */
export const responseRateLimit = 'response-megabytes-per-minute';

/** Converts MiB per minute, the unit of the settings, to bytes per second. */
export function bytesPerSecondOf(megabytesPerMinute: number): number {
  return (megabytesPerMinute * 1024 * 1024) / 60;
}

/** The error message for a client that received more response bytes than its rate limit allows. */
export const tooManyBytes = 'too many bytes of responses; wait a while';

/** Prefixed with @ so that it cannot equal an address key. */
function accountKey(account: string): string {
  return `@${account}`;
}
