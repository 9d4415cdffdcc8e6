import { type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { Counter, Gauge, type Registry } from 'prom-client';
import { ResponseAllowance, ResponseBudget, type ResponseHolder } from './response-budget';
import { stalledAfterMs, UnsentResponses } from './unsent-responses';

/** Limits what the responses of a process may hold until their clients have read them, and for how long. */
export class ResponseLimits {
  private readonly budget: ResponseBudget;
  private readonly unsent: UnsentResponses;
  private readonly limited: Counter<'outcome'>;

  /** @param totalBytes of all responses together; one client by itself gets half of it */
  constructor(totalBytes: number, registry: Registry, stallMs = stalledAfterMs) {
    const budget = new ResponseBudget(totalBytes);
    const registers = [registry];
    this.budget = budget;
    this.limited = new Counter({
      name: 'http_limited_responses_total',
      help: 'Responses refused for want of memory (refused), and connections closed whose client took nothing (cut)',
      labelNames: ['outcome'],
      registers,
    });
    new Gauge({
      name: 'http_unsent_response_bytes',
      help: 'Bytes of responses that clients have not read yet, without those up to 4 KiB',
      registers,
      collect() {
        this.set(budget.heldBytes);
      },
    });
    this.unsent = new UnsentResponses(() => {
      this.limited.inc({ outcome: 'cut' });
    }, stallMs);
  }

  /** The allowance of one response, nothing of which is built yet. */
  allowanceFor(holder: ResponseHolder): ResponseAllowance {
    return new ResponseAllowance(this.budget, holder);
  }

  /**
   * Releases the allowance once the response is flushed or its connection closes, and cuts off a client that takes nothing
   * meanwhile. To be called when nothing more will be taken.
   */
  releaseWhenSent(socket: Socket, response: ServerResponse, allowance: ResponseAllowance): void {
    if (!allowance.isCounted) return;
    const isFlushed = response.writableEnded && response.socket === socket && socket.writableLength === 0;
    if (socket.destroyed || isFlushed) allowance.release();
    else this.unsent.track(socket, response, allowance);
  }

  /** Counts a response that is not sent, since the allowance was refused. */
  countRefused(): void {
    this.limited.inc({ outcome: 'refused' });
  }
}

/** When to try again after a refused response: most of what is unread is read, or cut off, by then. */
export const refusedRetryAfterMs = 5_000;
