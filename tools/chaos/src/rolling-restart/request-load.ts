import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';

/** What is asked again and again, and whether the answer is right. */
export interface RepeatedRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  authorization?: string;
  isRight: (text: string) => boolean;
}

/** How often a request is tried before it counts as failed, and the pause before the next try. */
const triesMost = 3;
const pauseMs = 50;
const answerTimeoutMs = 10_000;
/** A connection rests between two requests, as those of a pool do: that is when it is closed under the next one. */
const betweenMs = 10;

export interface RequestCounts {
  answered: number;
  /** By what went wrong with the first try, of those that were answered at a later one. */
  retried: Map<string, number>;
  /** What was not answered rightly at any try. */
  failed: string[];
}

/** Clients with a connection each, which is kept alive, that ask one thing after another. */
export class RequestLoad {
  readonly counts: RequestCounts = { answered: 0, retried: new Map(), failed: [] };
  #isStopped = false;
  #working: Promise<unknown> = Promise.resolve();

  constructor(
    /** Of the balancer. */
    private readonly port: number,
    private readonly requests: readonly RepeatedRequest[],
    private readonly clients: number,
  ) {}

  start(): void {
    this.#working = Promise.all(Array.from({ length: this.clients }, (_none, index) => this.#work(index)));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#working;
  }

  async #work(first: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = first; !this.#isStopped; turn += 1) {
      const asked = this.requests[turn % this.requests.length];
      if (asked !== undefined) await this.#ask(agent, asked);
      await setTimeout(betweenMs);
    }
    agent.destroy();
  }

  async #ask(agent: Agent, asked: RepeatedRequest): Promise<void> {
    const faults: string[] = [];
    while (faults.length < triesMost) {
      const fault = await attempt(this.port, asked, agent);
      if (fault === undefined) {
        this.counts.answered += 1;
        const [reason] = faults;
        if (reason !== undefined) this.counts.retried.set(reason, (this.counts.retried.get(reason) ?? 0) + 1);
        return;
      }
      faults.push(fault);
      await setTimeout(pauseMs);
    }
    this.counts.failed.push(`${asked.method} ${asked.path}: ${faults.join(', ')}`);
  }
}

/** Asks once. @param agent without one over a connection of its own. @returns what went wrong */
export function attempt(
  port: number,
  { method, path, body, authorization, isRight }: RepeatedRequest,
  agent: Agent | false = false,
): Promise<string | undefined> {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(authorization !== undefined && { authorization }),
  };
  return new Promise((resolve) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers, agent, timeout: answerTimeoutMs },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('error', (error) => {
          resolve(`broken answer ${nameOf(error)}`);
        });
        response.on('end', () => {
          if (response.statusCode !== 200) resolve(`status ${String(response.statusCode)}`);
          else resolve(isRight(text) ? undefined : 'a wrong answer');
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.on('error', (error) => {
      resolve(nameOf(error));
    });
    sent.end(body);
  });
}

function nameOf(error: unknown): string {
  if (!isNativeError(error)) return 'an error';
  return 'code' in error ? String(error.code) : error.message;
}
