import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

/**
 * Commits of this instance whose entries it has not delivered yet. It delivers them itself, with the replies to their requests, so a
 * reader of the database waits for that.
 */
@Injectable()
export class UndeliveredCommits implements BeforeApplicationShutdown {
  private readonly pending = new Set<Promise<unknown>>();

  /** @param work commits and delivers; to be called before it commits */
  track<T>(work: Promise<T>): Promise<T> {
    const forget = () => this.pending.delete(settled);
    const settled: Promise<unknown> = work.then(forget, forget);
    this.pending.add(settled);
    return work;
  }

  /** Resolves when the commits that have begun by now are delivered, or have failed. */
  async delivered(): Promise<void> {
    await Promise.all(this.pending);
  }

  /** The database is closed after this; what has been accepted is stored before. */
  async beforeApplicationShutdown() {
    // The end of one lets another begin.
    while (this.pending.size > 0) await this.delivered();
  }
}
