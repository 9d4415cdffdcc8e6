import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { ChatError } from '../errors';
import { type Acknowledged, type Acknowledgment } from './messages.store';
import { type NewMessage } from './new-message';
import {
  conversationOf,
  storeAll,
  type MessageStorage,
  type Settle,
  type Settled,
  type Storable,
  type Turn,
} from './storing';

/** Messages in one statement at most: enough to be fast, few enough to answer soon. */
const batchMost = 500;
/** Statements at once: a message that comes while one commits need not wait for it. More would only make smaller ones. */
const lanes = 2;
/** Messages that may wait. Beyond it the database is too slow for what arrives, and waiting longer would only cost memory. */
const waitingMost = 10_000;
/** Whoever has waited so long is not kept waiting: a database that hangs lets each turn take seconds. */
const waitingMostMs = 5_000;

/** Injects the `MessageStorage`. */
export const MESSAGE_STORAGE = Symbol('MessageStorage');

/**
 * The line in which messages wait for the database. All that wait go into one statement, at once when a lane is free: no
 * timer, so a lone message waits for nobody, and a crowd shares one commit. A conversation is in one lane at a time, so
 * its messages are told in the order in which they were stored: while the database stores the next ones, where some wait.
 */
@Injectable()
export class MessageQueue implements BeforeApplicationShutdown {
  private line: (Storable | Turn)[] = [];
  /** How many of the line are to run alone. */
  private turns = 0;
  /** Lanes that are in use; what runs alone takes them all. */
  private used = 0;
  /** Conversations in a lane. */
  private readonly busy = new Set<string>();
  /** Stored, and not told yet. */
  private untold: Settle[] = [];
  private onEmpty: () => void = () => undefined;

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
    if (this.used === 0) return;
    await new Promise<void>((resolve) => {
      this.onEmpty = resolve;
    });
  }

  private join(entry: Storable | Turn) {
    if (this.line.length >= waitingMost) {
      entry.reject(tooMuchWaits());
      return;
    }
    if ('run' in entry) {
      this.turns += 1;
      this.line.push(entry);
      if (this.used === 0) this.advance();
    } else if (this.used < lanes && this.turns === 0 && !this.busy.has(conversationOf(entry))) {
      // Whatever else waits while a lane is free, waits for a conversation that is in the other.
      void this.store([entry]);
    } else {
      this.line.push(entry);
    }
  }

  /** Begins what can be begun. */
  private advance() {
    this.refuseLate();
    const [first] = this.line;
    if (first !== undefined && 'run' in first) {
      if (this.used === 0) void this.runAlone(first);
      return;
    }
    while (this.used < lanes) {
      const batch = this.takeBatch();
      if (batch.length === 0) break;
      void this.store(batch);
    }
    if (this.used === 0) this.onEmpty();
  }

  private async runAlone({ run }: Turn) {
    this.line.shift();
    this.turns -= 1;
    this.used = lanes;
    await run();
    this.used = 0;
    this.advance();
  }

  private async store(batch: readonly Storable[]) {
    const conversations = new Set(batch.map(conversationOf));
    this.used += 1;
    for (const id of conversations) this.busy.add(id);
    const settle = await storeAll(this.storage, batch);
    this.untold.push(settle);
    this.used -= 1;
    for (const id of conversations) this.busy.delete(id);
    // Where some wait the database is asked first, and stores while we tell; what runs alone finds all told.
    const [next] = this.line;
    if (next === undefined || 'run' in next) this.tell();
    else setImmediate(this.tell);
    this.advance();
  }

  private readonly tell = () => {
    const { untold } = this;
    this.untold = [];
    for (const settle of untold) settle();
  };

  /** Those of the line whose conversation is in no lane, up to the next that is to run alone. */
  private takeBatch(): Storable[] {
    const batch: Storable[] = [];
    const left: (Storable | Turn)[] = [];
    for (const [i, entry] of this.line.entries()) {
      if ('run' in entry || batch.length === batchMost) {
        this.line = left.concat(this.line.slice(i));
        return batch;
      }
      if (this.busy.has(conversationOf(entry))) left.push(entry);
      else batch.push(entry);
    }
    this.line = left;
    return batch;
  }

  private refuseLate() {
    const nowMs = performance.now();
    const inTime = this.line.findIndex(({ sinceMs }) => nowMs - sinceMs <= waitingMostMs);
    const late = this.line.splice(0, inTime === -1 ? this.line.length : inTime);
    for (const entry of late) {
      if ('run' in entry) this.turns -= 1;
      entry.reject(tooMuchWaits());
    }
  }
}

function tooMuchWaits(): ChatError {
  return new ChatError('unavailable', 'too much waits for the database', { retryAfterMs: 1_000 });
}
