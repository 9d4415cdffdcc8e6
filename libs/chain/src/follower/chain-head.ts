import { type HiveNodes } from '../node/hive-nodes';
import { AgreedHead, type HeadBlocks } from './agreed-head';
import { pause, untilAborted } from './abortable';

/** How long what a node said of its head is good enough where there is much to do anyhow. */
const freshMs = 5_000;

/** Asks nodes for the last irreversible block: no oftener than needed, and soon enough where the follower waits for it. */
export class ChainHead {
  private irreversible = 0;
  private askedAtMs = -Infinity;
  /** A query that runs while blocks are read. */
  private refreshing: Promise<void> | undefined;
  private readonly agreed: AgreedHead;

  /** @param onHead told of each answer */
  constructor(
    api: HiveNodes,
    private readonly pollIntervalMs: number,
    private readonly onHead: (head: HeadBlocks) => void,
  ) {
    this.agreed = new AgreedHead(api);
  }

  /**
   * The last irreversible block, as soon as it is beyond this one. It may become irreversible at any moment, not only
   * when a block is due, so a node is asked at even intervals.
   *
   * @throws the reason of the signal; errors as of `HiveApi.call`
   */
  async irreversibleAfter(number: number, signal: AbortSignal): Promise<number> {
    if (this.irreversible > number) this.refresh(signal);
    while (this.irreversible <= number) {
      await pause(this.askedAtMs + this.pollIntervalMs - performance.now(), signal);
      await this.ask(signal);
    }
    return this.irreversible;
  }

  /** As of `AgreedHead`. */
  mayDeny(node: string, block: number): boolean {
    return this.agreed.mayDeny(node, block);
  }

  /** What was said is in doubt: the nodes are asked before the next block is read. */
  forget(): void {
    this.irreversible = 0;
    this.askedAtMs = -Infinity;
  }

  /** Asks the nodes, if their last answers are old, without making the caller wait for the slowest of them. */
  refresh(signal: AbortSignal): void {
    if (performance.now() - this.askedAtMs < freshMs) return;
    this.refreshing ??= this.ask(signal)
      // It is asked again before the next block, and waited for when there is none left to read.
      .catch(() => undefined)
      .finally(() => {
        this.refreshing = undefined;
      });
  }

  private async ask(signal: AbortSignal): Promise<void> {
    const askedAtMs = performance.now();
    const head = await untilAborted(this.agreed.find(), signal);
    this.askedAtMs = askedAtMs;
    this.irreversible = head.irreversibleBlock;
    this.onHead(head);
  }
}
