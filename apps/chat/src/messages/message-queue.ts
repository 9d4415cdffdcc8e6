import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { isDataFault } from '@waggle/service';
import { ChatError } from '../errors';
import { type Appended, type NewMessage } from './append-messages';
import { MessagesStore, type Acknowledgment } from './messages.store';

/** Messages in one statement at most: enough to be fast, few enough to answer soon. */
const batchMost = 500;
/** Messages that may wait. Beyond it the database is too slow for what arrives, and waiting longer would only cost memory. */
const waitingMost = 10_000;

/** Whoever has waited so long is not kept waiting: a database that hangs lets each turn take seconds. */
const waitingMostMs = 5_000;

interface Waiting {
  sinceMs: number;
  reject: (error: unknown) => void;
}

interface WaitingMessage extends Waiting {
  message: NewMessage;
  resolve: (appended: Appended) => void;
}

interface WaitingAcknowledgment extends Waiting {
  acknowledgment: Acknowledgment;
  resolve: (isTheirs: boolean) => void;
}

interface Turn extends Waiting {
  run: () => Promise<void>;
}

type Entry = WaitingMessage | WaitingAcknowledgment | Turn;

/**
 * The line in which messages wait for the database. All that wait go into one statement, at once when it is free: no
 * timer, so a lone message waits for nobody, and a crowd shares one commit. As one statement runs at a time, messages
 * of a conversation are told in the order in which they were stored.
 */
@Injectable()
export class MessageQueue implements BeforeApplicationShutdown {
  private readonly line: Entry[] = [];
  private working: Promise<void> | undefined;

  constructor(@Inject(MessagesStore) private readonly store: Pick<MessagesStore, 'append' | 'acknowledge'>) {}

  /** Resolves once the message is durable. @throws ServiceError `unavailable` when too many wait. */
  append(message: NewMessage): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.join({ message, resolve, reject, sinceMs: performance.now() });
    });
  }

  /** Resolves once it is durable, with whether the conversation is the account's. @throws ServiceError `unavailable` as `append` */
  acknowledge(acknowledgment: Acknowledgment): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.join({ acknowledgment, resolve, reject, sinceMs: performance.now() });
    });
  }

  /** Runs work that stores and tells of it itself, when its turn comes and alone. @throws ServiceError `unavailable` as `append` */
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
    if (messages.length > 0) await this.appendAll(messages);
  }

  private async acknowledgeAll(batch: readonly WaitingAcknowledgment[]) {
    try {
      const done = await this.store.acknowledge(batch.map(({ acknowledgment }) => acknowledgment));
      const theirs = new Set(done.map(keyOf));
      for (const { acknowledgment, resolve } of batch) resolve(theirs.has(keyOf(acknowledgment)));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  private async appendAll(batch: readonly WaitingMessage[]) {
    try {
      const appended = await this.store.append(batch.map(({ message }) => message));
      batch.forEach(({ resolve, reject }, index) => {
        const result = appended[index];
        if (result === undefined) reject(new Error('a message without an outcome'));
        else resolve(result);
      });
    } catch (error) {
      if (batch.length === 1 || !isDataFault(error)) for (const { reject } of batch) reject(error);
      // A statement fails as a whole for the values of one message; which one, shows when each goes alone.
      else for (const waiting of batch) await this.appendAll([waiting]);
    }
  }
}

function keyOf({ conversationId, account }: Acknowledgment): string {
  return `${conversationId} ${account}`;
}

function tooMuchWaits(): ChatError {
  return new ChatError('unavailable', 'too much waits for the database', { retryAfterMs: 1_000 });
}
