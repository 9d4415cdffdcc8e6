import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { isDataFault } from '@waggle/service';
import { ChatError } from '../errors';
import { MessagesStore, type Appended, type NewMessage } from './messages.store';

/** Messages in one statement at most: enough to be fast, few enough to answer soon. */
const batchMost = 500;
/** Messages that may wait. Beyond it the database is too slow for what arrives, and waiting longer would only cost memory. */
const waitingMost = 10_000;

interface Waiting {
  message: NewMessage;
  resolve: (appended: Appended) => void;
  reject: (error: unknown) => void;
}

type Turn = () => Promise<void>;

/**
 * The line in which messages wait for the database. All that wait go into one statement, at once when it is free: no
 * timer, so a lone message waits for nobody, and a crowd shares one commit. As one statement runs at a time, messages
 * of a conversation are told in the order in which they were stored.
 */
@Injectable()
export class MessageQueue implements BeforeApplicationShutdown {
  private readonly line: (Waiting | Turn)[] = [];
  private working: Promise<void> | undefined;

  constructor(@Inject(MessagesStore) private readonly store: Pick<MessagesStore, 'append'>) {}

  /** Resolves once the message is durable. @throws ServiceError `unavailable` when too many wait. */
  append(message: NewMessage): Promise<Appended> {
    if (this.line.length >= waitingMost) {
      return Promise.reject(new ChatError('unavailable', 'too many messages are waiting', { retryAfterMs: 1_000 }));
    }
    return new Promise((resolve, reject) => {
      this.join({ message, resolve, reject });
    });
  }

  /** Runs work that stores and tells of messages itself, when its turn comes and alone. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.join(() => work().then(resolve, reject));
    });
  }

  /** The database is closed after this: what was accepted is stored first. */
  async beforeApplicationShutdown() {
    await this.working;
  }

  private join(entry: Waiting | Turn) {
    this.line.push(entry);
    this.working ??= this.work().finally(() => (this.working = undefined));
  }

  private async work() {
    for (let next = this.line[0]; next !== undefined; next = this.line[0]) {
      if (typeof next === 'function') {
        this.line.shift();
        await next();
      } else {
        await this.appendAll(this.takeBatch());
      }
    }
  }

  private takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    for (
      let next = this.line[0];
      next !== undefined && typeof next !== 'function' && batch.length < batchMost;
      next = this.line[0]
    ) {
      batch.push(next);
      this.line.shift();
    }
    return batch;
  }

  private async appendAll(batch: readonly Waiting[]) {
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
