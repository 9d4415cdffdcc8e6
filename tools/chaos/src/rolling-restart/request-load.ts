import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { type OwnProcess } from '@waggle/running';

export interface RepeatedRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  authorization?: string;
  isCorrect: (text: string) => boolean;
}

const catchUpTimeoutMs = 60_000;
const responseTimeoutMs = 10_000;
/** Connections are idle between requests, as in a pool: a server that closes one then breaks the next request. */
const betweenMs = 10;

export interface RequestCounts {
  succeeded: number;
  /** The number of failed requests, by request and error. */
  failed: Map<string, number>;
}

/** Clients that send one request after another, each over its own keep-alive connection. They do not retry. */
export class RequestLoad {
  readonly counts: RequestCounts = { succeeded: 0, failed: new Map() };
  private isStopped = false;
  private working: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly port: number,
    private readonly requests: readonly RepeatedRequest[],
    private readonly clients: number,
  ) {}

  start(): void {
    this.working = Promise.all(Array.from({ length: this.clients }, (_none, index) => this.work(index)));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.working;
  }

  private async work(first: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = first; !this.isStopped; turn += 1) {
      const next = this.requests[turn % this.requests.length];
      if (next !== undefined) await this.send(agent, next);
      await setTimeout(betweenMs);
    }
    agent.destroy();
  }

  private async send(agent: Agent, repeated: RepeatedRequest): Promise<void> {
    const error = await attempt(this.port, repeated, agent);
    if (error === undefined) {
      this.counts.succeeded += 1;
      return;
    }
    const failure = `${repeated.method} ${repeated.path}: ${error}`;
    this.counts.failed.set(failure, (this.counts.failed.get(failure) ?? 0) + 1);
  }
}

/** Waits until all responses are correct. @throws Error if the indexer ends, or does not catch up in time */
export async function untilCaughtUp(
  indexer: OwnProcess,
  port: number,
  requests: readonly RepeatedRequest[],
): Promise<void> {
  await indexer.until('caught up', catchUpTimeoutMs, async () => {
    const errors = await Promise.all(requests.map((each) => attempt(port, each)));
    return errors.every((error) => error === undefined);
  });
}

/** Sends a request once. @param agent false: over a new connection @returns the error, if any */
function attempt(
  port: number,
  { method, path, body, authorization, isCorrect }: RepeatedRequest,
  agent: Agent | false = false,
): Promise<string | undefined> {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(authorization !== undefined && { authorization }),
  };
  return new Promise((resolve) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers, agent, timeout: responseTimeoutMs },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('error', (error) => {
          resolve(`broken response: ${nameOf(error)}`);
        });
        response.on('end', () => {
          if (response.statusCode !== 200) resolve(`status ${String(response.statusCode)}`);
          else resolve(isCorrect(text) ? undefined : 'a wrong response');
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no response')));
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
