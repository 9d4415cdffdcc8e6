import { HiveNodesUnavailableError } from '../node/errors';

/** An answer that may show what proves it. */
export interface Evident {
  readonly isShown: boolean;
}

/**
 * What true answers show on Hive, and on some test chains never: ids that are hashes, rewards of producers. Each node must show
 * it. Only where all of them are asked and none does, this chain has no such thing, until one shows it: so it is not for the
 * node that is asked first to say.
 */
export class Evidence {
  private known: 'unknown' | 'shown' | 'nowhere' = 'unknown';

  /** Whether the chain has shown it. */
  get isShown(): boolean {
    return this.known === 'shown';
  }

  /** Requires every node to show it from now on. */
  require(): void {
    this.known = 'shown';
  }

  /** @param question asks the nodes; with `isRequired` those that do not show it are at fault. Errors are its own. */
  async ask<T extends Evident>(question: (isRequired: boolean) => Promise<T>): Promise<T> {
    let rejected: unknown;
    if (this.known !== 'nowhere') {
      try {
        const answer = await question(true);
        if (answer.isShown) this.known = 'shown';
        return answer;
      } catch (error) {
        if (this.isShown || !isSaidByAll(error)) throw error;
        rejected = error;
      }
    }
    const answer = await question(false);
    if (answer.isShown) this.known = 'shown';
    // A concurrent call may have shown it in the meantime.
    else if (this.isShown) throw rejected;
    else this.known = 'nowhere';
    return answer;
  }
}

/** Whether every node has answered, and none in a way that can be taken. */
function isSaidByAll(error: unknown): boolean {
  return (
    error instanceof HiveNodesUnavailableError &&
    error.failures.every(({ kind }) => kind === 'contradiction' || kind === 'mismatch' || kind === 'behind')
  );
}
