import { Inject, Injectable } from '@nestjs/common';
import { ChatError } from '../errors';
import { type Acknowledged, type Acknowledgment } from './acknowledge';
import { type NewMessage } from './new-message';
import { OwnCommits } from './own-commits';
import {
  bringIn,
  conversationOf,
  storeAll,
  type MessageStorage,
  type Settled,
  type Waiting,
  type WaitingMessage,
} from './storing';

/** Messages in one statement at most: enough to be fast, few enough to answer soon. */
const batchMost = 500;
/** Statements at once: a message that comes while one commits need not wait for it. More would only make smaller ones. */
export const lanes = 2;
/** Messages that may wait. Beyond it the database is too slow for what arrives, and waiting longer would only cost memory. */
const waitingMost = 10_000;
/** Whoever has waited so long is not kept waiting: a database that hangs lets each statement take seconds. */
const waitingMostMs = 5_000;

/** Injects the `MessageStorage`. */
export const MESSAGE_STORAGE = Symbol('MessageStorage');

/**
 * The line in which messages wait for the database. All that wait go into one statement, at once when a lane is free: no
 * timer, so a lone message waits for nobody, and a crowd shares one commit. A conversation is in one lane at a time, so
 * its messages are told in the order in which they were stored: while the database stores the next ones, where some wait.
 */
@Injectable()
export class MessageQueue {
  private line: Waiting[] = [];
  /** Lanes that are in use. */
  private used = 0;
  /** Conversations in a lane, or into which somebody is being brought. */
  private readonly busy = new Set<string>();
  /** Messages that bring somebody in, each in a transaction beside the lanes. */
  private arriving = 0;
  /** Tells of what was stored and not told yet. */
  private untold: (() => void)[] = [];

  constructor(
    @Inject(MESSAGE_STORAGE) private readonly storage: MessageStorage,
    private readonly commits: OwnCommits,
  ) {}

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

  private join(entry: Waiting) {
    if (this.line.length + this.arriving >= waitingMost) {
      entry.reject(tooMuchWaits());
    } else if (this.used < lanes && !this.busy.has(conversationOf(entry))) {
      // Whatever else waits while a lane is free, waits for a conversation that is in the other.
      void this.store([entry]);
    } else {
      this.line.push(entry);
    }
  }

  /** Begins what can be begun. */
  private advance() {
    this.refuseLate();
    while (this.used < lanes) {
      const batch = this.takeBatch();
      if (batch.length === 0) break;
      void this.store(batch);
    }
  }

  private async store(batch: readonly Waiting[]) {
    const conversations = new Set(batch.map(conversationOf));
    this.used += 1;
    for (const id of conversations) this.busy.add(id);
    const told = this.commits.begin();
    const { settle, arriving } = await storeAll(this.storage, batch);
    this.untold.push(settle, told);
    this.used -= 1;
    for (const id of conversations) this.busy.delete(id);
    // Where some wait the database is asked first, and stores while we tell.
    if (this.line.length === 0) this.tell();
    else setImmediate(this.tell);
    for (const id of new Set(arriving.map(conversationOf))) {
      void this.bringIn(
        id,
        arriving.filter((each) => conversationOf(each) === id),
      );
    }
    this.advance();
  }

  /** One after the other, and before what waits for the conversation; the others of their batch need not wait for it. */
  private async bringIn(id: string, messages: readonly WaitingMessage[]) {
    this.busy.add(id);
    this.arriving += messages.length;
    for (const waiting of messages) {
      const told = this.commits.begin();
      const settle = await bringIn(this.storage, waiting);
      this.arriving -= 1;
      settle();
      told();
    }
    this.busy.delete(id);
    this.advance();
  }

  private readonly tell = () => {
    const { untold } = this;
    this.untold = [];
    for (const tell of untold) tell();
  };

  /** Those of the line whose conversation is in no lane. */
  private takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    for (const [i, entry] of this.line.entries()) {
      if (batch.length === batchMost) {
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
    for (const entry of late) entry.reject(tooMuchWaits());
  }
}

function tooMuchWaits(): ChatError {
  return new ChatError('unavailable', 'too much waits for the database', { retryAfterMs: 1_000 });
}
