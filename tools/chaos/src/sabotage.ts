import { type HeardMessage } from './observation';

/** What is done to one event of one client on purpose, to see that the checker finds it. */
export const sabotages = ['drop', 'double', 'swap'] as const;
export type Sabotage = (typeof sabotages)[number];

/** Of the conversation that is spoilt, so many messages pass before. */
const passedFirst = 2;

/**
 * Stands between the events of a client and its record, and spoils one of them: leaves it out, tells it twice, or tells it
 * after the next one of its conversation. Everything else passes.
 */
export class Saboteur {
  #conversationId: string | undefined;
  #passed = 0;
  #kept: HeardMessage | undefined;
  #isDone = false;
  #spoiltId: string | undefined;

  /** @param watchedAfter the place of each conversation after which it is watched: nobody would miss what is before */
  constructor(
    private readonly sabotage: Sabotage,
    private readonly watchedAfter: ReadonlyMap<string, number>,
  ) {}

  /** @returns what is to be recorded in the place of the event */
  pass(heard: HeardMessage): HeardMessage[] {
    if ((heard.seq ?? 0) <= (this.watchedAfter.get(heard.conversationId) ?? 0)) return [heard];
    this.#conversationId ??= heard.conversationId;
    if (this.#isDone || heard.conversationId !== this.#conversationId) return [heard];
    if (this.#kept !== undefined) {
      this.#isDone = true;
      return [heard, this.#kept];
    }
    this.#passed += 1;
    if (this.#passed <= passedFirst) return [heard];
    this.#spoiltId = heard.id;
    if (this.sabotage === 'swap') {
      this.#kept = heard;
      return [];
    }
    this.#isDone = true;
    return this.sabotage === 'drop' ? [] : [heard, heard];
  }

  /** The same for what is fetched, which would otherwise replace what was spoilt: one message is told twice or left out again. */
  passFetched(message: HeardMessage): HeardMessage[] {
    if (message.id !== this.#spoiltId) return [message];
    return this.sabotage === 'double' ? [message, message] : [];
  }
}
