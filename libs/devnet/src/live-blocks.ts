import { type DevnetChain, initialBlocks } from './chain';
import { blockIntervalSeconds } from './protocol';
import { secondsOf } from './time';

/** Makes blocks come by themselves, until the interval is cleared. */
export function produceLive(chain: DevnetChain, blockIntervalMs: number): NodeJS.Timeout {
  return setInterval(() => {
    tick(chain, blockIntervalMs);
  }, blockIntervalMs);
}

/**
 * The block that is due. After a pause (a sleeping laptop) it is in the slot of the current time, and earlier slots are
 * missed.
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
 * The `genesisTime` with which the head of a new chain stands at this moment.
 * @param moreBlocks how many are made at once, behind those that it begins with.
 */
export function recentGenesisTime(reversibleBlocks = 1, moreBlocks = 0): number {
  const slot = Math.floor(Date.now() / 1000 / blockIntervalSeconds);
  return (slot - initialBlocks(reversibleBlocks) - moreBlocks) * blockIntervalSeconds;
}
