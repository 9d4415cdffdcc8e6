import { type ReceivedMessage } from './observation';

/** Ways to corrupt the record of one client, to prove that the checker detects it. */
export const sabotages = ['drop', 'double', 'swap'] as const;
export type Sabotage = (typeof sabotages)[number];

/** How many messages of the conversation pass before the corrupted one. */
const passedBefore = 2;

/** Filters the messages that a client records: drops one, duplicates one, or swaps two of one conversation. */
export class Saboteur {
  #conversationId: string | undefined;
  #passed = 0;
  #delayed: ReceivedMessage | undefined;
  #isDone = false;
  #corruptedId: string | undefined;

  /** @param startSeqs only messages after these sequence numbers are checked, so only they are corrupted */
  constructor(
    private readonly sabotage: Sabotage,
    private readonly startSeqs: ReadonlyMap<string, number>,
  ) {}

  /** @returns the messages to record instead */
  pass(message: ReceivedMessage): ReceivedMessage[] {
    if ((message.seq ?? 0) <= (this.startSeqs.get(message.conversationId) ?? 0)) return [message];
    this.#conversationId ??= message.conversationId;
    if (this.#isDone || message.conversationId !== this.#conversationId) return [message];
    if (this.#delayed !== undefined) {
      this.#isDone = true;
      return [message, this.#delayed];
    }
    this.#passed += 1;
    if (this.#passed <= passedBefore) return [message];
    this.#corruptedId = message.id;
    if (this.sabotage === 'swap') {
      this.#delayed = message;
      return [];
    }
    this.#isDone = true;
    return this.sabotage === 'drop' ? [] : [message, message];
  }

  /** Corrupts the same message when it is fetched, which would otherwise repair the record. */
  passFetched(message: ReceivedMessage): ReceivedMessage[] {
    if (message.id !== this.#corruptedId) return [message];
    return this.sabotage === 'double' ? [message, message] : [];
  }
}
