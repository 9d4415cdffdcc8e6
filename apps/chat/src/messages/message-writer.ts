import { inTransaction, isDataFault, isUniqueViolation } from '@waggle/service';
import { LRUCache } from 'lru-cache';
import { type Pool } from 'pg';
import { appendMessages } from './append-messages';
import { arrive } from './arrivals';
import { judgeMessages, type Judgement } from './judge-messages';
import { toPlaceless, type Known, type NewMessage, type Stored, type Written } from './new-message';
import { type QueueConnections } from './queue-connections';
import { findRepeats } from './repeats';

/** Writers remembered, of all conversations; each is a few hundred bytes. */
const writersMost = 50_000;

/** Writers remembered who have repeated a message. */
const repeatersMost = 1_000;

/**
 * Writes messages. Who may write where is remembered, and cannot be wrong: the statement that stores compares the place at
 * which it was found out with that of the conversation's last change. Nor is asked first whether a message was stored
 * before: the index of the marks refuses it then, and what is refused for another reason is looked up.
 */
export class MessageWriter {
  private readonly writers = new LRUCache<string, Judgement>({ max: writersMost });
  /** What they write is looked up first: not each of their repeats is to cost the others of its batch a second statement. */
  private readonly repeaters = new LRUCache<string, true>({ max: repeatersMost });

  /**
   * @param connections for messages that are written together
   * @param changesPool for those that bring somebody in
   */
  constructor(
    private readonly connections: QueueConnections,
    private readonly changesPool: Pool,
  ) {}

  /** @returns what became of each message, in the given order; one that fails leaves the others as they are */
  async write(messages: readonly NewMessage[]): Promise<Written[]> {
    const items = messages.map(toItem);
    const firstOf = new Map<string, Item>();
    for (const item of items) if (!firstOf.has(item.mark)) firstOf.set(item.mark, item);
    await this.writeDistinct(firstOf.size === items.length ? items : [...firstOf.values()]);
    return items.map((item) => {
      const { written = missing() } = firstOf.get(item.mark) ?? item;
      return item.written !== undefined || written.outcome !== 'written'
        ? written
        : { ...written, outcome: 'repeated' };
    });
  }

  /** A message that brings somebody in, judged again under the lock of its conversation. */
  bringIn(message: NewMessage): Promise<Stored> {
    return inTransaction(this.changesPool, (client) => arrive(client, message));
  }

  /**
   * Settles all of them; never rejects. It waits for nothing where nothing is to be found out: while little is said, a message
   * by a known writer is on its way to the database before this returns.
   */
  private async writeDistinct(items: readonly Item[]): Promise<void> {
    try {
      // Where some are left, somebody else's change was committed meanwhile each time, so this ends.
      for (let left = items; left.length > 0; left = left.filter(isUnwritten)) {
        for (const item of left) item.judgement = this.writers.get(item.writer);
        const unjudged = left.filter(({ judgement }) => judgement === undefined);
        if (unjudged.length > 0) await this.judge(unjudged);

        const { storable, refused } = sortOut(left);
        const repeating = storable.filter(({ item }) => this.repeaters.has(item.writer));
        // Whoever may no longer write is told all the same what became of a message that was stored.
        const perhapsStored = [...refused, ...repeating].map(({ item }) => item);
        if (perhapsStored.length > 0) await this.settleRepeats(perhapsStored);
        for (const { item, written } of refused) item.written ??= written;
        await this.append(storable.filter(({ item }) => isUnwritten(item)));
      }
    } catch (error) {
      await this.writeFailed(items.filter(isUnwritten), error);
    }
  }

  /**
   * A statement fails as a whole for one message: one that was stored before, or has values that it should not. Never
   * rejects: what was written with these must be told.
   */
  private async writeFailed(items: readonly Item[], error: unknown): Promise<void> {
    if (isUniqueViolation(error)) {
      try {
        await this.settleRepeats(items);
      } catch (unanswered) {
        fail(items, unanswered);
        return;
      }
      const others = items.filter(isUnwritten);
      if (others.length < items.length) return this.writeDistinct(others);
    }
    if (items.length < 2 || !isDataFault(error)) {
      fail(items, error);
      return;
    }
    // Which one, shows when halves go alone.
    const middle = Math.ceil(items.length / 2);
    await this.writeDistinct(items.slice(0, middle));
    await this.writeDistinct(items.slice(middle));
  }

  /** Settles those of them that were stored before, which is known by their marks. */
  private async settleRepeats(items: readonly Item[]): Promise<void> {
    if (items.every(({ message }) => message.clientId === null)) return;
    const itemOf = new Map(items.map((item) => [item.message, item]));
    for (const [message, repeated] of await this.connections.use((client) => findRepeats(client, [...itemOf.keys()]))) {
      const item = itemOf.get(message) ?? missing();
      item.written = repeated;
      this.repeaters.set(item.writer, true);
    }
  }

  /** Finds out who may write. */
  private async judge(items: readonly Item[]): Promise<void> {
    const messageOf = new Map(items.map(({ writer, message }) => [writer, message]));
    const judgements = await this.connections.use((client) => judgeMessages(client, [...messageOf.values()]));
    const judgementOf = new Map(Array.from(messageOf.keys(), (writer, i) => [writer, judgements[i] ?? missing()]));
    // A refusal is not remembered: nothing would say that it no longer holds.
    for (const [writer, judgement] of judgementOf) if (judgement.outcome === 'may') this.writers.set(writer, judgement);
    for (const item of items) item.judgement = judgementOf.get(item.writer);
  }

  /** Settles all but those whose conversation was changed meanwhile. */
  private async append(storable: readonly Storable[]): Promise<void> {
    if (storable.length === 0) return;
    const messages = storable.map(({ item, known }) => toPlaceless(item.message, known));
    const entries = await this.connections.use((client) => appendMessages(client, messages));
    for (const [i, { item }] of storable.entries()) {
      const entry = entries[i];
      if (entry !== undefined) item.written = { outcome: 'written', entries: [entry] };
      else this.writers.delete(item.writer);
    }
  }
}

/** A message, and what has become of it. */
interface Item {
  readonly message: NewMessage;
  /** Equal for messages of one account into one conversation. */
  readonly writer: string;
  /** Equal for messages of which the second is a repeat of the first. */
  readonly mark: string;
  judgement: Judgement | undefined;
  written: Written | undefined;
}

/** One that may be stored beside others. */
interface Storable {
  item: Item;
  known: Known;
}

/** Settles those that bring somebody in: they are not stored here. */
function sortOut(items: readonly Item[]) {
  const storable: Storable[] = [];
  const refused: { item: Item; written: Written }[] = [];
  for (const item of items) {
    const judgement = item.judgement ?? missing();
    if (!('seq' in judgement)) {
      refused.push({ item, written: judgement });
    } else if (judgement.outcome === 'may') {
      storable.push({ item, known: judgement });
    } else {
      item.written = { outcome: 'arrives' };
    }
  }
  return { storable, refused };
}

function toItem(message: NewMessage): Item {
  const { id, conversationId, sender, clientId } = message;
  const writer = `${conversationId} ${sender}`;
  const mark = clientId === null ? id : `${writer} ${clientId}`;
  return { message, writer, mark, judgement: undefined, written: undefined };
}

function isUnwritten({ written }: Item): boolean {
  return written === undefined;
}

function fail(items: readonly Item[], error: unknown) {
  for (const item of items) item.written = { outcome: 'failed', error };
}

function missing(): never {
  throw new Error('a message without an outcome');
}
