import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

/**
 * What this instance is about to commit, or has committed and not told of yet. It tells of it itself, with what it answers;
 * whoever finds it in the database waits until that is done.
 */
@Injectable()
export class OwnCommits implements BeforeApplicationShutdown {
  private readonly untold = new Set<Promise<void>>();

  /** To be called before the commit. @returns what is to be called when it was told of, or has failed */
  begin(): () => void {
    let end: () => void = () => undefined;
    const told = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.untold.add(told);
    return () => {
      this.untold.delete(told);
      end();
    };
  }

  /** Resolves when everything was told that is under way now. */
  async told(): Promise<void> {
    await Promise.all(this.untold);
  }

  /** The database is closed after this: what was accepted is stored first. */
  async beforeApplicationShutdown() {
    // One makes room for the next.
    while (this.untold.size > 0) await this.told();
  }
}
