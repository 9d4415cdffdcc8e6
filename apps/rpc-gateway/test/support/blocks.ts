import { type FollowedBlock } from '@waggle/chain';
import { type OperationSketch } from './operations';

/** 2026-01-01T00:00:00Z, in seconds: the time of block 0. */
const genesisSeconds = 1_767_225_600;

export function timeOf(block: number): Date {
  return new Date((genesisSeconds + 3 * block) * 1_000);
}

const idOf = (block: number) => block.toString(16).padStart(8, '0').padEnd(40, '0');

/** Notifications have the time of the previous block. */
export function blockWith(
  number: number,
  operations: readonly OperationSketch[],
  { timestamp, previousTimestamp }: { timestamp: Date; previousTimestamp: Date },
): FollowedBlock {
  return {
    number,
    id: idOf(number),
    previous: idOf(number - 1),
    timestamp,
    previousTimestamp,
    operations: operations.map(({ transaction, ...operation }, index) => ({
      ...operation,
      index,
      transactionId: (transaction ?? String(index)).padStart(40, '0'),
    })),
  };
}
