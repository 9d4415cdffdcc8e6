import { type HiveNodes } from '../../node/hive-nodes';
import { AgreedIrreversibleBlock, type HeadBlocks } from './agreed-irreversible-block';
import { pause, untilAborted } from '../abortable';

/** Maximum age of the known head while there are blocks to read, in milliseconds. */
const freshMs = 5_000;

/** Maximum number of blocks that a node may be behind another one without lagging: a minute. */
const recentBlocks = 20;

export interface ChainHeadOptions {
  /** As in `BlockFollowerOptions`. */
  readonly pollIntervalMs: number;
  readonly storageDelayMs: number;
  /** Called with each head. */
  readonly onHead: (head: HeadBlocks) => void;
}

/**
 * Polls the last irreversible block: rarely while there are blocks to read, and at even intervals while the follower
 * waits for one.
 */
export class ChainHead {
  private irreversible = 0;
  private polledAtMs = -Infinity;
  /** A query that runs while blocks are read. */
  private refreshing: Promise<void> | undefined;
  private readonly agreed: AgreedIrreversibleBlock;

  constructor(
    api: HiveNodes,
    private readonly options: ChainHeadOptions,
  ) {
    this.agreed = new AgreedIrreversibleBlock(api, options);
  }

  /**
   * Resolves with the last irreversible block as soon as it is beyond this one. A block may become irreversible at any
   * moment, not only when one is due, so nodes are polled at even intervals.
   *
   * @throws the reason of the signal; errors as of `HiveApi.call`
   */
  async irreversibleAfter(number: number, signal: AbortSignal): Promise<number> {
    if (this.irreversible > number) this.refresh(signal);
    while (this.irreversible <= number) {
      const dueInMs = this.polledAtMs + this.options.pollIntervalMs - performance.now();
      if (dueInMs > 0) await pause(dueInMs, signal);
      await this.poll(signal);
    }
    return this.irreversible;
  }

  /** Whether a node may still lack this block. */
  isRecent(block: number): boolean {
    return block > this.irreversible - recentBlocks;
  }

  /** Returns whether a node that lacks a block counts, as `AgreedIrreversibleBlock` decides. */
  countsAsMissing(node: string, block: number): boolean {
    return this.agreed.countsAsMissing(node, block);
  }

  /** Forgets the head, which is in doubt: it is polled before the next block is read. */
  forget(): void {
    this.irreversible = 0;
    this.polledAtMs = -Infinity;
  }

  /** Polls the head if it is old. The caller does not wait for it. */
  refresh(signal: AbortSignal): void {
    if (performance.now() - this.polledAtMs < freshMs) return;
    this.refreshing ??= this.poll(signal)
      // It is polled again before the next block, with errors when there is none left to read.
      .catch(() => undefined)
      .finally(() => {
        this.refreshing = undefined;
      });
  }

  private async poll(signal: AbortSignal): Promise<void> {
    const polledAtMs = performance.now();
    const head = await untilAborted(this.agreed.find(), signal);
    this.polledAtMs = polledAtMs;
    this.irreversible = head.irreversibleBlock;
    this.options.onHead(head);
  }
}
