import { type KeptAnswer } from './kept-answer';

/** What an entry takes besides its texts, about. */
const entryBytes = 200;
/** A text of JavaScript takes one byte for each character, or two. */
const bytesPerCharacter = 2;

/** Answers that were kept one after the other. */
class Generation {
  readonly answers = new Map<string, KeptAnswer>();
  bytes = 0;

  keep(key: string, answer: KeptAnswer) {
    const before = this.answers.get(key);
    this.bytes += bytesOf(key, answer) - (before === undefined ? 0 : bytesOf(key, before));
    this.answers.set(key, answer);
  }
}

/**
 * Answers that this instance keeps, within a number of bytes. They are of two generations: where the young one is full, it becomes
 * the old one, and what was in that is forgotten. What is found there is kept anew, so that what is asked for stays. A list by
 * last use took a twentieth of a read's time, and the garbage collector as much again for entries that were deleted one by one.
 */
export class MemoryAnswers {
  private young = new Generation();
  private old = new Generation();

  constructor(private readonly mostBytes: number) {}

  /** Fresh or stale. */
  find(key: string): KeptAnswer | undefined {
    const young = this.young.answers.get(key);
    if (young !== undefined) return young;
    const old = this.old.answers.get(key);
    if (old !== undefined) this.keep(key, old);
    return old;
  }

  keep(key: string, answer: KeptAnswer): void {
    const bytes = bytesOf(key, answer);
    // One answer never drives all others out.
    if (bytes > this.mostBytes / 8) return;
    if (this.young.bytes + bytes > this.mostBytes / 2) {
      this.old = this.young;
      this.young = new Generation();
    }
    this.young.keep(key, answer);
  }

  get bytes(): number {
    return this.young.bytes + this.old.bytes;
  }

  get count(): number {
    return this.young.answers.size + this.old.answers.size;
  }
}

function bytesOf(key: string, { member }: KeptAnswer): number {
  return (member.length + key.length) * bytesPerCharacter + entryBytes;
}
