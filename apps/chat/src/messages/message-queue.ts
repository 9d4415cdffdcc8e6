import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { ChatError } from '../errors';
import { type Acknowledged, type Acknowledgment } from './messages.store';
import { type NewMessage, type Written } from './new-message';

/** Messages in one statement at most: enough to be fast, few enough to answer soon. */
const batchMost = 500;
/** Messages that may wait. Beyond it the database is too slow for what arrives, and waiting longer would only cost memory. */
const waitingMost = 10_000;

/** Whoever has waited so long is not kept waiting: a database that hangs lets each turn take seconds. */
const waitingMostMs = 5_000;

/** What became of a message about which there was something to be found out. */
type Settled = Exclude<Written, { outcome: 'failed' }>;

interface Waiting {
  sinceMs: number;
  reject: (error: unknown) => void;
}

interface WaitingMessage extends Waiting {
  message: NewMessage;
  resolve: (written: Settled) => void;
}

interface WaitingAcknowledgment extends Waiting {
  acknowledgment: Acknowledgment;
  resolve: (acknowledged: Acknowledged | undefined) => void;
}

interface Turn extends Waiting {
  run: () => Promise<void>;
}

type Entry = WaitingMessage | WaitingAcknowledgment | Turn;

/** What the queue stores by. */
export interface MessageStorage {
  /** @returns what became of each message, in the given order */
  write(messages: readonly NewMessage[]): Promise<Written[]>;
  /** @returns those whose conversation is the account's */
  acknowledge(acknowledgments: readonly Acknowledgment[]): Promise<Acknowledged[]>;
}

/** Injects the `MessageStorage`. */
export const MESSAGE_STORAGE = Symbol('MessageStorage');

/**
 * The line in which messages wait for the database. All that wait go into one statement, at once when it is free: no
 * timer, so a lone message waits for nobody, and a crowd shares one commit. As one statement runs at a time, messages
 * of a conversation are told in the order in which they were stored.
 */
@Injectable()
export class MessageQueue implements BeforeApplicationShutdown {
  private readonly line: Entry[] = [];
  private working: Promise<void> | undefined;

  constructor(@Inject(MESSAGE_STORAGE) private readonly storage: MessageStorage) {}

  /** Resolves once the message is durable, or refused. @throws ServiceError `unavailable` when too many wait. */
  write(message: NewMessage): Promise<Settled> {
    return new Promise((resolve, reject) => {
      this.join({ message, resolve, reject, sinceMs: performance.now() });
    });
  }

  /** Resolves once it is durable; undefined where the conversation is not the account's. @throws ServiceError `unavailable` as `write` */
  acknowledge(acknowledgment: Acknowledgment): Promise<Acknowledged | undefined> {
    return new Promise((resolve, reject) => {
      this.join({ acknowledgment, resolve, reject, sinceMs: performance.now() });
    });
  }

  /** Runs work that stores and tells of it itself, when its turn comes and alone. @throws ServiceError `unavailable` as `write` */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.join({ run: () => work().then(resolve, reject), reject, sinceMs: performance.now() });
    });
  }

  /** The database is closed after this: what was accepted is stored first. */
  async beforeApplicationShutdown() {
    await this.working;
  }

  private join(entry: Entry) {
    if (this.line.length >= waitingMost) {
      entry.reject(tooMuchWaits());
      return;
    }
    this.line.push(entry);
    this.working ??= this.work().finally(() => (this.working = undefined));
  }

  private async work() {
    for (let next = this.next(); next !== undefined; next = this.next()) {
      if ('run' in next) {
        this.line.shift();
        await next.run();
      } else {
        await this.storeAll(this.takeBatch());
      }
    }
  }

  /** The first in the line, without those that have waited too long. */
  private next(): Entry | undefined {
    for (let [first] = this.line; first !== undefined; [first] = this.line) {
      if (performance.now() - first.sinceMs <= waitingMostMs) return first;
      this.line.shift();
      first.reject(tooMuchWaits());
    }
    return undefined;
  }

  private takeBatch(): (WaitingMessage | WaitingAcknowledgment)[] {
    const batch: (WaitingMessage | WaitingAcknowledgment)[] = [];
    for (let [first] = this.line; first !== undefined && !('run' in first); [first] = this.line) {
      if (batch.length === batchMost) break;
      batch.push(first);
      this.line.shift();
    }
    return batch;
  }

  /** Acknowledgments first: they are of what was told before, not of what waits beside them. */
  private async storeAll(batch: readonly (WaitingMessage | WaitingAcknowledgment)[]) {
    const acknowledgments = batch.flatMap((entry) => ('acknowledgment' in entry ? [entry] : []));
    if (acknowledgments.length > 0) await this.acknowledgeAll(acknowledgments);
    const messages = batch.flatMap((entry) => ('message' in entry ? [entry] : []));
    if (messages.length > 0) await this.writeAll(messages);
  }

  private async acknowledgeAll(batch: readonly WaitingAcknowledgment[]) {
    try {
      const done = await this.storage.acknowledge(batch.map(({ acknowledgment }) => acknowledgment));
      const byKey = new Map(done.map((each) => [keyOf(each), each]));
      for (const { acknowledgment, resolve } of batch) resolve(byKey.get(keyOf(acknowledgment)));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  private async writeAll(batch: readonly WaitingMessage[]) {
    try {
      const written = await this.storage.write(batch.map(({ message }) => message));
      batch.forEach(({ resolve, reject }, index) => {
        const result = written[index];
        if (result === undefined) reject(new Error('a message without an outcome'));
        else if (result.outcome === 'failed') reject(result.error);
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

function keyOf({ conversationId, account }: Acknowledgment): string {
  return `${conversationId} ${account}`;
}

function tooMuchWaits(): ChatError {
  return new ChatError('unavailable', 'too much waits for the database', { retryAfterMs: 1_000 });
}
