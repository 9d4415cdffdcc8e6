import { Inject, Injectable } from '@nestjs/common';
import { inTransaction, isDataFault, POOL } from '@waggle/service';
import { LRUCache } from 'lru-cache';
import { type Pool } from 'pg';
import { appendMessages } from './append-messages';
import { arrive } from './arrivals';
import { judgeMessages, type Judgement } from './judge-messages';
import { toPlaceless, type Known, type NewMessage, type Written } from './new-message';
import { findRepeats } from './repeats';

/** Writers remembered, of all conversations; each is a few hundred bytes. */
const writersMost = 50_000;

/**
 * Writes messages. Who may write where is remembered, and cannot be wrong: the statement that stores compares the place at
 * which it was found out with that of the conversation's last change.
 */
@Injectable()
export class MessageWriter {
  private readonly writers = new LRUCache<string, Known>({ max: writersMost });

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** @returns what became of each message, in the given order; one that fails leaves the others as they are */
  write(messages: readonly NewMessage[]): Promise<Written[]> {
    return this.writeAll(messages, false);
  }

  private async writeAll(messages: readonly NewMessage[], isAlone: boolean): Promise<Written[]> {
    const written = new Map<NewMessage, Written>(await findRepeats(this.pool, messages));
    for (let left = messages.filter((each) => !written.has(each)); left.length > 0;) {
      for (const [message, result] of await this.writeOnce(left, isAlone)) written.set(message, result);
      // Each time somebody else's change was committed meanwhile, so this ends.
      left = left.filter((each) => !written.has(each));
    }
    return messages.map((message) => written.get(message) ?? missing());
  }

  /** Without those whose conversation was changed meanwhile. */
  private async writeOnce(messages: readonly NewMessage[], isAlone: boolean): Promise<[NewMessage, Written][]> {
    const judgements = await this.judge(messages);
    const results: [NewMessage, Written][] = [];
    let run: [NewMessage, Known][] = [];
    for (const [i, message] of messages.entries()) {
      const judgement = judgements[i] ?? missing();
      if (!('seq' in judgement)) {
        results.push([message, judgement]);
      } else if (message.to !== null && judgement.recipient !== null && message.to !== judgement.recipient) {
        results.push([message, { outcome: 'wrong-recipient' }]);
      } else if (judgement.outcome === 'may') {
        run.push([message, judgement]);
      } else {
        // In the order in which they came: what was before it goes first.
        results.push(...(await this.append(run, isAlone)), [message, await this.arrive(message)]);
        run = [];
      }
    }
    results.push(...(await this.append(run, isAlone)));
    return results;
  }

  private async judge(messages: readonly NewMessage[]): Promise<Judgement[]> {
    const unknown = new Map(
      messages.filter((message) => !this.writers.has(keyOf(message))).map((message) => [keyOf(message), message]),
    );
    const found = new Map<string, Judgement>();
    if (unknown.size > 0) {
      const judgements = await judgeMessages(this.pool, [...unknown.values()]);
      [...unknown.keys()].forEach((key, i) => {
        const judgement = judgements[i] ?? missing();
        found.set(key, judgement);
        // A refusal is not remembered: nothing would say that it no longer holds.
        if (judgement.outcome === 'may') this.writers.set(key, judgement);
      });
    }
    return messages.map((message) => {
      const known = this.writers.get(keyOf(message));
      return known === undefined ? (found.get(keyOf(message)) ?? missing()) : { outcome: 'may', ...known };
    });
  }

  private async append(run: readonly [NewMessage, Known][], isAlone: boolean): Promise<[NewMessage, Written][]> {
    if (run.length === 0) return [];
    try {
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
    } catch (error) {
      if (isAlone || !isDataFault(error)) return run.map(([message]) => [message, { outcome: 'failed', error }]);
      // A statement fails as a whole for the values of one message; which one, shows when each goes alone. One may also
      // have been stored by another instance in this very moment: then it is found as a repeat.
      const results: [NewMessage, Written][] = [];
      for (const [message] of run) {
        const [result = missing()] = await this.writeAll([message], true);
        results.push([message, result]);
      }
      return results;
    }
  }

  /** A message that brings somebody in, judged again under the lock of its conversation. */
  private arrive(message: NewMessage): Promise<Written> {
    return inTransaction(this.pool, (client) => arrive(client, message)).catch((error: unknown): Written => ({
      outcome: 'failed',
      error,
    }));
  }
}

function keyOf({ conversationId, sender }: NewMessage): string {
  return `${conversationId} ${sender}`;
}

function missing(): never {
  throw new Error('a message without an outcome');
}
