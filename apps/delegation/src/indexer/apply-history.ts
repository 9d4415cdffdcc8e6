import { type FollowedBlock } from '@waggle/chain';
import { type Queryable } from '@waggle/service';
import { firstChangeId } from '../index-state/change-id';
import { lockIndexState, setNextDelegationId } from '../index-state/index-state.statements';
import { findPairsBefore, insertChanges, writePairs } from './batch.statements';
import { Ledger } from './ledger';
import { readSetOf } from './read-set';
import { historyHandlers } from './operations';
import { PendingReturns } from './pending-returns';
import { BlockSteps } from './operations/steps';

/** No block of this history is in the range of an initial load, so the amounts before each block are exact. */
const allExact = { loadedTo: -1, returnsLoadedTo: -1 };

/**
 * Writes the changes of blocks before the start of the index into the history, within the caller's transaction. The
 * current state is not affected.
 *
 * @returns the number of changes
 * @throws OperationFormatError if an operation cannot be decoded
 */
export async function applyHistory(client: Queryable, blocks: readonly FollowedBlock[]): Promise<number> {
  const steps = new BlockSteps();
  await historyHandlers.handle(steps, blocks);
  const [first] = steps.all;
  if (first === undefined) return 0;
  // The follower also assigns ids to new pairs.
  const { nextDelegationId } = await lockIndexState(client);
  const readSet = readSetOf(steps.all);
  const pairs = await findPairsBefore(client, readSet, readSet.cleared, firstChangeId(first.block));
  const ledger = new Ledger(pairs, new PendingReturns([]), nextDelegationId, allExact);
  for (const step of steps.all) ledger.apply(step);
  if (ledger.added.length > 0) {
    // The blocks after the start determine the current amounts.
    await writePairs(
      client,
      ledger.added.map((pair) => ({ ...pair, amount: 0n, earliestReturn: null })),
    );
    await setNextDelegationId(client, ledger.nextPairId);
  }
  await insertChanges(client, ledger.changes);
  return ledger.changes.length;
}
