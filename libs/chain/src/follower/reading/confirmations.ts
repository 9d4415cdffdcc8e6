import { type HiveBlock } from '../../api/block-api';
import { type Comparison } from './block-comparison';

interface Pending {
  readonly blocks: readonly HiveBlock[];
  readonly resolve: (comparison: Comparison) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Confirms consecutive ranges of blocks with one comparison at a time. Ranges that arrive during a comparison share the
 * next one: each block names the one before it, so nodes that agree on a block agree on all earlier ones, except as
 * `BlockComparison.compare` says. A range then waits for at most two calls of `compare`, and a slow node gets one call
 * at a time.
 */
export class Confirmations {
  private pending: Pending[] = [];
  private isComparing = false;

  /** @param compare compares consecutive blocks with the blocks of other nodes; it selects which ones it compares */
  constructor(private readonly compare: (blocks: readonly HiveBlock[]) => Promise<Comparison>) {}

  /**
   * Resolves with the result of comparing the blocks, together with those that were waiting. Rejects with the error of
   * `compare`.
   */
  confirm(blocks: readonly HiveBlock[]): Promise<Comparison> {
    return new Promise((resolve, reject) => {
      this.pending.push({ blocks, resolve, reject });
      if (!this.isComparing) void this.comparePending();
    });
  }

  private async comparePending(): Promise<void> {
    this.isComparing = true;
    while (this.pending.length > 0) {
      const group = this.pending;
      this.pending = [];
      try {
        const comparison = await this.compare(group.flatMap(({ blocks }) => blocks));
        for (const { resolve } of group) resolve(comparison);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.isComparing = false;
  }
}
