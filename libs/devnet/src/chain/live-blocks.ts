import { type DevnetChain, initialBlocks } from './chain';
import { blockIntervalSeconds } from '../protocol';
import { secondsOf } from '../time';

/** Produces blocks at an interval, until the returned timer is cleared. */
export function produceLive(chain: DevnetChain, blockIntervalMs: number): NodeJS.Timeout {
  return setInterval(() => {
    tick(chain, blockIntervalMs);
  }, blockIntervalMs);
}

/**
 * Produces the block that is due. After a pause (a sleeping laptop) it is in the slot of the current time, and earlier
 * slots are missed.
 */
function tick(chain: DevnetChain, blockIntervalMs: number): void {
  if (blockIntervalMs < blockIntervalSeconds * 1000) {
    chain.produceBlock();
    return;
  }
  const slots = Math.floor((Date.now() / 1000 - secondsOf(chain.head.timestamp)) / blockIntervalSeconds);
  if (slots >= 1) chain.produceBlock(slots - 1);
}

/**
 * Returns the `genesisTime` of a new chain whose head block is produced now.
 * @param moreBlocks how many are produced at once, after the initial ones.
 */
export function recentGenesisTime(reversibleBlocks = 1, moreBlocks = 0): number {
  const slot = Math.floor(Date.now() / 1000 / blockIntervalSeconds);
  return (slot - initialBlocks(reversibleBlocks) - moreBlocks) * blockIntervalSeconds;
}
