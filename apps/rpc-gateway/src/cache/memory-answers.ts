import { LRUCache } from 'lru-cache';
import { type KeptAnswer } from './kept-answer';

/** What an entry takes besides its texts, about. */
const entryBytes = 200;
/** A text of JavaScript takes one byte for each character, or two. */
const bytesPerCharacter = 2;

/** Answers that this instance keeps, those used last, within a number of bytes. */
export class MemoryAnswers {
  private readonly answers: LRUCache<string, KeptAnswer>;

  constructor(mostBytes: number) {
    this.answers = new LRUCache({
      maxSize: mostBytes,
      // One answer never drives all others out.
      maxEntrySize: Math.ceil(mostBytes / 8),
      sizeCalculation: ({ member }, key) => (member.length + key.length) * bytesPerCharacter + entryBytes,
    });
  }

  /** Fresh or stale. */
  find(key: string): KeptAnswer | undefined {
    return this.answers.get(key);
  }

  keep(key: string, answer: KeptAnswer): void {
    this.answers.set(key, answer);
  }

  get bytes(): number {
    return this.answers.calculatedSize;
  }

  get count(): number {
    return this.answers.size;
  }
}
