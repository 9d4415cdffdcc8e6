import { Inject, Injectable } from '@nestjs/common';
import { isDataError, isUniqueViolation, POOL, rejected } from '@waggle/service';
import { LRUCache } from 'lru-cache';
import { type Pool } from 'pg';
import { Delivery } from '../delivery/delivery';
import { appendMessages, type NewMessage } from '../log/append-messages';
import { type Entry } from '../log/entry';
import { MESSAGE_POOL } from '../log/pools';
import { readQuotes } from '../log/quotes';
import { findRepeated } from '../log/repeated-messages';
import { chunks, groupBy } from '../portions';
import { authorizeMessages } from './authorize-messages';
import { type SendResult } from './send-result';
import { storeWithChanges } from './store-with-changes';
import { writerKeyOf, WritePermissions } from './write-permissions';

/** Maximum number of accounts in `repeaters`. */
const maxRepeaters = 1_000;
/**
 * Maximum number of messages that change a conversation in one transaction. If 100 senders join, with three statements
 * each, it locks the conversation for 0.15 s. A transaction for each sender would take 2.5 times as long, and each
 * would wait for a row that others lock.
 */
const maxChanging = 100;

/**
 * Stores messages. Write permissions are cached, and a stale one is not used: the statement that stores a message
 * checks that the conversation has not changed since the authorization. Repeated messages are usually not looked up
 * either: the unique index of the idempotency keys rejects them (but see `repeaters`).
 */
@Injectable()
export class MessageWriter {
  private readonly permissions: WritePermissions;
  /**
   * Accounts that repeated a message. Their messages are looked up first; otherwise each of their repetitions would
   * make a batch fail. Kept per account: one that repeats in more conversations than the cache holds would always miss.
   */
  private readonly repeaters = new LRUCache<string, true>({ max: maxRepeaters });

  constructor(
    @Inject(MESSAGE_POOL) private readonly messagePool: Pool,
    @Inject(POOL) private readonly changePool: Pool,
    delivery: Delivery,
  ) {
    this.permissions = new WritePermissions(messagePool);
    // After a failover the database may lack rows that cached permissions depend on.
    delivery.on('restarted', () => {
      this.permissions.clear();
      this.repeaters.clear();
    });
  }

  /**
   * Stores messages together. A result is a promise if the message (a) changes its conversation or follows such a
   * message of its sender, (b) repeats one of the batch, or (c) failed with an exception. Changes of one conversation
   * share a transaction.
   */
  async store(messages: readonly NewMessage[]): Promise<ReadonlyMap<NewMessage, SendResult | Promise<SendResult>>> {
    const call: StoreCall = { results: new Map(), changingWriters: new Set(), lastChanges: new Map() };
    const { results } = call;
    /** The first message with each idempotency key. */
    const firsts = new Map<string, NewMessage>();
    for (const message of messages) if (!firsts.has(keyOf(message))) firsts.set(keyOf(message), message);
    await this.storeDistinct([...firsts.values()], call);
    for (const message of messages) {
      const firstResult = results.get(firsts.get(keyOf(message)) ?? message);
      if (firstResult !== undefined && !results.has(message)) results.set(message, asRepeat(firstResult));
    }
    return results;
  }

  /**
   * Stores messages with different idempotency keys. Never rejects: the result of a message that fails is a rejected
   * promise.
   */
  private async storeDistinct(messages: readonly NewMessage[], call: StoreCall): Promise<void> {
    const { results } = call;
    let pending = messages;
    try {
      while (pending.length > 0) {
        await this.authorize(pending, call);
        await this.append(withoutResult(pending, results), results);
        // The rest was authorized before its conversation changed, so it is authorized again.
        pending = withoutResult(pending, results);
      }
    } catch (error) {
      const failing = withoutResult(messages, results);
      try {
        await this.storeAfterFailure(failing, error, call);
      } catch (secondError) {
        for (const message of withoutResult(failing, results)) results.set(message, rejected(secondError));
      }
    }
  }

  /**
   * Sets the results of messages that are not allowed, are repeated, or change their conversation, and starts the
   * transactions of the last. All other messages have a cached permission afterwards.
   */
  private async authorize(messages: readonly NewMessage[], call: StoreCall): Promise<void> {
    const { results, changingWriters } = call;
    const errors = await this.permissions.read(messages);
    // A sender who may no longer write still gets the result of a message that is stored already.
    const repeating = messages.filter(
      (message) => errors.has(writerKeyOf(message)) || this.repeaters.has(message.sender),
    );
    if (repeating.length > 0) await this.setRepeated(repeating, results);
    const changing: NewMessage[] = [];
    for (const message of withoutResult(messages, results)) {
      const writerKey = writerKeyOf(message);
      const error = errors.get(writerKey);
      if (error !== undefined) {
        results.set(message, { outcome: 'rejected', error });
      } else if (changingWriters.has(writerKey) || this.permissions.get(message)?.changesConversation === true) {
        // Stale after the change.
        this.permissions.delete(message);
        changingWriters.add(writerKey);
        changing.push(message);
      }
    }
    for (const [conversationId, ofConversation] of groupBy(changing, (message) => message.conversationId))
      for (const chunk of chunks(ofConversation, maxChanging)) this.queueChanges(conversationId, chunk, call);
  }

  /**
   * Queues one transaction, after the conversation's earlier changes, for messages that change it and later ones of
   * their senders. Sets their results.
   */
  private queueChanges(
    conversationId: string,
    messages: readonly NewMessage[],
    { results, lastChanges }: StoreCall,
  ): void {
    const earlier = lastChanges.get(conversationId) ?? Promise.resolve();
    const stored = earlier.then(() => storeWithChanges(this.changePool, messages));
    lastChanges.set(conversationId, stored);
    for (const message of messages) {
      const result = stored.then((all) => all.get(message) ?? rejected('no result for the message'));
      // The batcher attaches its handler only after the other messages are stored.
      result.catch(() => undefined);
      results.set(message, result);
    }
  }

  /** Sets the results of messages that are stored already. @returns their number */
  private async setRepeated(messages: readonly NewMessage[], results: Results): Promise<number> {
    const repeated = await findRepeated(this.messagePool, messages);
    await this.addQuotes(repeated);
    for (const [message, entry] of repeated) {
      results.set(message, { outcome: 'repeated', entries: [entry] });
      this.repeaters.set(message.sender, true);
    }
    return repeated.size;
  }

  /** Adds the quotes of repeated replies. An account that may no longer write may not read either, and gets none. */
  private async addQuotes(repeated: ReadonlyMap<NewMessage, Entry>): Promise<void> {
    const replies = Array.from(repeated).filter(([, entry]) => 'message' in entry && entry.message.repliedTo);
    if (replies.length === 0) return;
    const authorizations = await authorizeMessages(
      this.messagePool,
      replies.map(([message]) => message),
    );
    const readable = replies.filter((_, i) => authorizations[i] !== undefined && 'permission' in authorizations[i]);
    await readQuotes(
      this.messagePool,
      readable.map(([, entry]) => entry),
    );
  }

  /** Stores messages with a cached permission, except if their conversation changed since. Sets their results. */
  private async append(messages: readonly NewMessage[], results: Results): Promise<void> {
    if (messages.length === 0) return;
    const authorized = messages.map((message) => {
      // A message whose permission left the cache meanwhile is not stored, and is authorized again.
      const { recipient = null, seq: authorizedSeq = -1 } = this.permissions.get(message) ?? {};
      return { ...message, recipient, authorizedSeq };
    });
    for (const [i, entry] of (await appendMessages(this.messagePool, authorized)).entries()) {
      const message = messages[i];
      if (message === undefined) continue;
      if (entry === undefined) this.permissions.delete(message);
      else results.set(message, { outcome: 'stored', entries: [entry] });
    }
  }

  /**
   * Isolates the message that made the whole statement fail, a repetition or one that cannot be stored, and stores the
   * others.
   */
  private async storeAfterFailure(messages: readonly NewMessage[], error: unknown, call: StoreCall): Promise<void> {
    const { results } = call;
    if (isUniqueViolation(error) && (await this.setRepeated(messages, results)) > 0) {
      return this.storeDistinct(withoutResult(messages, results), call);
    }
    if (messages.length > 1 && isDataError(error)) {
      const middle = Math.ceil(messages.length / 2);
      await this.storeDistinct(messages.slice(0, middle), call);
      return this.storeDistinct(messages.slice(middle), call);
    }
    for (const message of messages) results.set(message, rejected(error));
  }
}

type Results = Map<NewMessage, SendResult | Promise<SendResult>>;

/** The state of one call of `store`. */
interface StoreCall {
  results: Results;
  /** Keys of writers with a change in this call: their later messages are stored in the same way. */
  changingWriters: Set<string>;
  /** By conversation, a promise that resolves when its last change has ended. */
  lastChanges: Map<string, Promise<unknown>>;
}

function withoutResult(messages: readonly NewMessage[], results: Results): readonly NewMessage[] {
  return messages.filter((message) => !results.has(message));
}

/** Equal for a message and its repetitions. */
function keyOf(message: NewMessage): string {
  return message.clientId === null ? message.id : `${writerKeyOf(message)} ${message.clientId}`;
}

async function asRepeat(first: SendResult | Promise<SendResult>): Promise<SendResult> {
  const result = await first;
  return result.outcome === 'rejected' ? result : { ...result, outcome: 'repeated' };
}
