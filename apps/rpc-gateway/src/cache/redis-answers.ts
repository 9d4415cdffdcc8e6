import { createHash } from 'node:crypto';
import { type Logger, RepeatedLine } from '@waggle/service';
import { createClient, createCluster } from 'redis';
import { z } from 'zod';
import { type KeptAnswer } from './kept-answer';

/** As many as Redis may take before a read does without it: it saves one question to a node, which takes some tens of milliseconds. */
const answerMostMs = 100;
/** So long nothing is asked of a Redis that did not answer in time. */
const pauseMs = 1_000;
/** Larger answers are rarely asked for twice, and hold up those behind them. */
const keptMostLength = 1024 * 1024;
/** Commands that may wait, so that a Redis that hangs does not fill the memory. */
const waitingMost = 10_000;

const storedHead = z.tuple([z.number(), z.number().nullable(), z.number(), z.number()]);

/** Answers that instances share. Without Redis every read does as well, and takes longer: nothing here rejects. */
export class RedisAnswers {
  private readonly client: ReturnType<typeof clientOf>;
  private readonly lost: RepeatedLine;
  private pausedUntilMs = -Infinity;
  private isClosed = false;

  constructor(
    urls: readonly string[],
    private readonly prefix: string,
    logger: Logger,
  ) {
    this.lost = new RepeatedLine((leftOut, err) => {
      logger.warn({ err, leftOut }, 'redis does not answer: answers are shared by nobody for the moment');
    });
    this.client = clientOf(urls);
    this.client.on('error', (error) => {
      this.lost.say(error);
    });
    void this.connect();
  }

  async find(key: string): Promise<KeptAnswer | undefined> {
    const text = await this.inTime(() => this.client.get(this.nameOf(key)));
    return typeof text === 'string' ? parse(text) : undefined;
  }

  /** Returns at once; what cannot be kept is not. */
  keep(key: string, answer: KeptAnswer, nowMs: number): void {
    const milliseconds = Math.ceil(answer.staleUntilMs - nowMs);
    if (answer.member.length > keptMostLength || milliseconds <= 0) return;
    const expiration = { type: 'PX', value: milliseconds } as const;
    void this.inTime(() => this.client.set(this.nameOf(key), textOf(answer), { expiration }));
  }

  close(): void {
    this.isClosed = true;
    if (this.client.isOpen) this.client.destroy();
  }

  /** Reconnects by itself once it was connected, and to one Redis before that too. */
  private async connect(): Promise<void> {
    try {
      await this.client.connect();
    } catch (error) {
      if (this.isClosed) return;
      this.lost.say(error);
      setTimeout(() => void this.connect(), pauseMs).unref();
    }
  }

  private nameOf(key: string): string {
    return `${this.prefix}answer:${createHash('sha256').update(key).digest('base64url')}`;
  }

  private async inTime<T>(ask: () => Promise<T>): Promise<T | undefined> {
    if (performance.now() < this.pausedUntilMs) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        this.pausedUntilMs = performance.now() + pauseMs;
        this.lost.say(new Error('no answer in time'));
        resolve(undefined);
      }, answerMostMs);
    });
    try {
      return await Promise.race([ask(), limit]);
    } catch (error) {
      this.lost.say(error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** One Redis, or a cluster, whose nodes let in the same user in the same way. */
function clientOf(urls: readonly string[]) {
  const options = {
    disableOfflineQueue: true,
    commandsQueueMaxLength: waitingMost,
    socket: { connectTimeout: 2_000, reconnectStrategy: (attempts: number) => Math.min(attempts * 100, 2_000) },
  };
  const [first = ''] = urls;
  if (urls.length === 1) return createClient({ url: first, ...options });
  const { username, password, protocol } = new URL(first);
  return createCluster({
    rootNodes: urls.map((url) => ({ url })),
    defaults: {
      ...options,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' ? { socket: { ...options.socket, tls: true } } : {}),
    },
  });
}

function textOf({ storedAtMs, head, freshUntilMs, staleUntilMs, member }: KeptAnswer): string {
  return `${JSON.stringify([storedAtMs, head ?? null, freshUntilMs, staleUntilMs])}\n${member}`;
}

function parse(text: string): KeptAnswer | undefined {
  const end = text.indexOf('\n');
  try {
    if (!text.startsWith('"result":', end + 1)) return undefined;
    const [storedAtMs, head, freshUntilMs, staleUntilMs] = storedHead.parse(JSON.parse(text.slice(0, end)));
    return { storedAtMs, head: head ?? undefined, freshUntilMs, staleUntilMs, member: text.slice(end + 1) };
  } catch {
    // Of another version of this service.
    return undefined;
  }
}
