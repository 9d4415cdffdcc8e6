import { type HiveNodes } from '../../node/hive-nodes';
import { AgreedIrreversibleBlock, type HeadBlocks } from './agreed-irreversible-block';
import { pause, untilAborted } from '../abortable';

/** Maximum age of the known block while there are blocks to read, in milliseconds. */
const freshMs = 5_000;

/** A node that is up to this many blocks behind (one minute) is not considered lagging. */
const recentBlocks = 20;

export interface LastIrreversibleBlockOptions {
  /** As in `BlockFollowerOptions`. */
  readonly pollIntervalMs: number;
  readonly storageDelayMs: number;
  /** Called with the result of each poll. */
  readonly onHead: (head: HeadBlocks) => void;
}

/**
 * Knows the last irreversible block. While the follower has blocks to read it is refreshed in the background every 5 s;
 * when the follower has read them all, it is polled every `pollIntervalMs`.
 */
export class LastIrreversibleBlock {
  /** 0 before the first poll, and after `forget`. */
  private irreversibleBlock = 0;
  private polledAtMs = -Infinity;
  private polling: Promise<void> | undefined;
  private readonly agreement: AgreedIrreversibleBlock;

  constructor(
    api: HiveNodes,
    private readonly options: LastIrreversibleBlockOptions,
  ) {
    this.agreement = new AgreedIrreversibleBlock(api, options);
  }

  /**
   * Resolves with the last irreversible block once it is higher than `number`.
   *
   * @throws the reason of the signal; errors as of `HiveApi.call`
   */
  async higherThan(number: number, signal: AbortSignal): Promise<number> {
    if (this.irreversibleBlock > number) this.refreshInBackground();
    while (this.irreversibleBlock <= number) {
      // At even intervals: blocks become irreversible at irregular times.
      const dueInMs = this.polledAtMs + this.options.pollIntervalMs - performance.now();
      if (dueInMs > 0) await pause(dueInMs, signal);
      await untilAborted(this.poll(), signal);
    }
    return this.irreversibleBlock;
  }

  /** Whether the block is so new that a healthy node may not store it yet. */
  isRecent(block: number): boolean {
    return block > this.irreversibleBlock - recentBlocks;
  }

  /** Whether this node's lack of the block is a vote against it (see `AgreedIrreversibleBlock`). */
  isVoteAgainst(node: string, block: number): boolean {
    return this.agreement.isVoteAgainst(node, block);
  }

  /** Discards the known block, and the result of a running poll, so that nodes are polled before the next read. */
  forget(): void {
    this.irreversibleBlock = 0;
    this.polledAtMs = -Infinity;
    this.polling = undefined;
  }

  /** Polls the nodes if the known block is older than 5 s. Ignores errors: `higherThan` polls again and throws them. */
  refreshInBackground(): void {
    if (performance.now() - this.polledAtMs >= freshMs) this.poll().catch(() => undefined);
  }

  /** Joins a running poll. */
  private poll(): Promise<void> {
    this.polling ??= this.startPoll();
    return this.polling;
  }

  private startPoll(): Promise<void> {
    const startedAtMs = performance.now();
    const isForgotten = (): boolean => this.polling !== polling;
    const polling = this.agreement
      .find()
      .then((head) => {
        if (isForgotten()) return;
        this.polledAtMs = startedAtMs;
        this.irreversibleBlock = head.irreversibleBlock;
        this.options.onHead(head);
      })
      .finally(() => {
        if (!isForgotten()) this.polling = undefined;
      });
    return polling;
  }
}
