import { inTransaction, isDataFault, isUniqueViolation } from '@waggle/service';
import { LRUCache } from 'lru-cache';
import { type Pool } from 'pg';
import { appendMessages } from './append-messages';
import { arrive } from './arrivals';
import { judgeMessages, type Judgement } from './judge-messages';
import { toPlaceless, type Known, type NewMessage, type Stored, type Written } from './new-message';
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
   * @param pool for messages that are written together
   * @param changesPool for those that bring somebody in
   */
  constructor(
    private readonly pool: Pool,
    private readonly changesPool: Pool,
  ) {}

  /** @returns what became of each message, in the given order; one that fails leaves the others as they are */
  async write(messages: readonly NewMessage[]): Promise<Written[]> {
    const firstOf = new Map<string, NewMessage>();
    for (const message of messages) if (!firstOf.has(markOf(message))) firstOf.set(markOf(message), message);
    const written = await this.writeDistinct([...firstOf.values()]);
    return messages.map((message) => {
      const first = firstOf.get(markOf(message)) ?? message;
      const result = written.get(first) ?? missing();
      return first === message || result.outcome !== 'written' ? result : { ...result, outcome: 'repeated' };
    });
  }

  /** A message that brings somebody in, judged again under the lock of its conversation. */
  bringIn(message: NewMessage): Promise<Stored> {
    return inTransaction(this.changesPool, (client) => arrive(client, message));
  }

  private async writeDistinct(messages: readonly NewMessage[]): Promise<Map<NewMessage, Written>> {
    const written = new Map<NewMessage, Written>();
    const unwritten = () => messages.filter((each) => !written.has(each));
    try {
      // Where some are left, somebody else's change was committed meanwhile each time, so this ends.
      for (let left = messages; left.length > 0; left = unwritten()) {
        const run = await this.settleOthers(left, written);
        for (const [message, result] of await this.append(run)) written.set(message, result);
      }
    } catch (error) {
      for (const [message, result] of await this.writeFailed(unwritten(), error)) written.set(message, result);
    }
    return written;
  }

  /**
   * A statement fails as a whole for one message: one that was stored before, or has values that it should not. Never
   * rejects: what was written with these must be told.
   */
  private async writeFailed(messages: readonly NewMessage[], error: unknown): Promise<[NewMessage, Written][]> {
    const failed = (reason: unknown) =>
      messages.map((each): [NewMessage, Written] => [each, { outcome: 'failed', error: reason }]);
    if (isUniqueViolation(error)) {
      try {
        const repeats = new Map<NewMessage, Written>(await this.findRepeats(messages));
        const others = messages.filter((each) => !repeats.has(each));
        if (repeats.size > 0) return [...repeats, ...(await this.writeDistinct(others))];
      } catch (unanswered) {
        return failed(unanswered);
      }
    }
    if (messages.length < 2 || !isDataFault(error)) return failed(error);
    // Which one, shows when halves go alone.
    const middle = Math.ceil(messages.length / 2);
    const first = await this.writeDistinct(messages.slice(0, middle));
    return [...first, ...(await this.writeDistinct(messages.slice(middle)))];
  }

  /**
   * Settles those that are not to be stored here. Whoever may no longer write is told all the same what became of a message
   * that was stored.
   * @returns the others
   */
  private async settleOthers(
    messages: readonly NewMessage[],
    written: Map<NewMessage, Written>,
  ): Promise<[NewMessage, Known][]> {
    const judgements = await this.judge(messages);
    const others = new Map<NewMessage, Written>();
    const run = new Map<NewMessage, Known>();
    for (const [i, message] of messages.entries()) {
      const judgement = judgements[i] ?? missing();
      if (!('seq' in judgement)) {
        others.set(message, judgement);
      } else if (message.to !== null && judgement.recipient !== null && message.to !== judgement.recipient) {
        others.set(message, { outcome: 'wrong-recipient' });
      } else if (judgement.outcome === 'may') {
        run.set(message, judgement);
      } else {
        written.set(message, { outcome: 'arrives' });
      }
    }
    const repeaters = [...run.keys()].filter((message) => this.repeaters.has(keyOf(message)));
    for (const [message, repeated] of await this.findRepeats([...others.keys(), ...repeaters])) {
      others.set(message, repeated);
      run.delete(message);
    }
    for (const [message, result] of others) written.set(message, result);
    return [...run];
  }

  private async findRepeats(messages: readonly NewMessage[]): Promise<[NewMessage, Stored][]> {
    const repeats = await findRepeats(this.pool, messages);
    for (const [message] of repeats) this.repeaters.set(keyOf(message), true);
    return repeats;
  }

  private async judge(messages: readonly NewMessage[]): Promise<Judgement[]> {
    const known = messages.map((message) => this.writers.get(keyOf(message)));
    const unknown = new Map<string, NewMessage>();
    for (const [i, message] of messages.entries()) if (known[i] === undefined) unknown.set(keyOf(message), message);
    const found = unknown.size > 0 ? await this.findOut(unknown) : undefined;
    return messages.map((message, i) => known[i] ?? found?.get(keyOf(message)) ?? missing());
  }

  private async findOut(unknown: ReadonlyMap<string, NewMessage>): Promise<Map<string, Judgement>> {
    const judgements = await judgeMessages(this.pool, [...unknown.values()]);
    const found = new Map<string, Judgement>();
    for (const [i, key] of [...unknown.keys()].entries()) {
      const judgement = judgements[i] ?? missing();
      found.set(key, judgement);
      // A refusal is not remembered: nothing would say that it no longer holds.
      if (judgement.outcome === 'may') this.writers.set(key, judgement);
    }
    return found;
  }

  /** Without those whose conversation was changed meanwhile. */
  private async append(run: readonly [NewMessage, Known][]): Promise<[NewMessage, Written][]> {
    if (run.length === 0) return [];
    const entries = await appendMessages(
      this.pool,
      run.map(([message, known]) => toPlaceless(message, known)),
    );
    return run.flatMap(([message], i): [NewMessage, Written][] => {
      const entry = entries[i];
      if (entry !== undefined) return [[message, { outcome: 'written', entries: [entry] }]];
      this.writers.delete(keyOf(message));
      return [];
    });
  }
}

function keyOf({ conversationId, sender }: NewMessage): string {
  return `${conversationId} ${sender}`;
}

/** Equal for messages of which the second is a repeat of the first. */
function markOf({ id, conversationId, sender, clientId }: NewMessage): string {
  return clientId === null ? id : `${conversationId} ${sender} ${clientId}`;
}

function missing(): never {
  throw new Error('a message without an outcome');
}
