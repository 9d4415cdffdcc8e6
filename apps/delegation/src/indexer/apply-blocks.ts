import { type FollowedBlock } from '@waggle/chain';
import { resultsOf, type Queryable } from '@waggle/service';
import { advanceIndexState, lockIndexState } from '../index-state/index-state.statements';
import {
  deleteReturns,
  findPairs,
  findReturns,
  findReturnsOf,
  applyBalanceDeltas,
  insertChanges,
  insertReturns,
  writePairs,
} from './batch.statements';
import { Ledger } from './ledger';
import { readSetOf } from './read-set';
import { handlers } from './operations';
import { PendingReturns } from './pending-returns';
import { BlockSteps } from './operations/steps';

/**
 * Applies the blocks after the last applied one, within the caller's transaction. Statements that do not depend on each
 * other's results are sent together (`pipeline`), and the server executes them in order.
 *
 * @param irreversibleBlock the last known one of the chain
 * @returns the number of changes
 * @throws OperationFormatError if an operation cannot be decoded; Error if the blocks are not the next ones
 */
export async function applyBlocks(
  client: Queryable,
  blocks: readonly FollowedBlock[],
  irreversibleBlock: number,
): Promise<number> {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const steps = new BlockSteps();
  await handlers.handle(steps, blocks);
  const readSet = readSetOf(steps.all);
  const [state, pairs, returns] = await resultsOf([
    lockIndexState(client),
    findPairs(client, readSet, readSet.cleared),
    findReturns(client, readSet.returned, readSet.cleared),
  ]);
  if (first.number !== state.syncedBlock + 1) {
    throw new Error(`block ${first.number} is not the one after ${state.syncedBlock}, the last that was applied`);
  }
  // The initial load may already contain pending returns that these blocks add.
  const overlapsLoad = steps.all.some(({ block }) => block > state.loadedTo && block <= state.returnsLoadedTo);
  const loadedReturns = overlapsLoad ? await findReturnsOf(client, readSet.delegators) : [];
  const ledger = new Ledger(pairs, new PendingReturns([...returns, ...loadedReturns]), state.nextDelegationId, state);
  for (const step of steps.all) ledger.apply(step);
  const { touched, changes, balanceDeltas } = ledger;
  await resultsOf([
    writePairs(client, [...touched]),
    insertChanges(client, changes),
    applyBalanceDeltas(client, balanceDeltas),
    deleteReturns(client, ledger.returns.removed),
    insertReturns(client, ledger.returns.added),
    advanceIndexState(client, {
      syncedBlock: last.number,
      syncedTime: last.timestamp,
      irreversibleBlock: Math.max(irreversibleBlock, last.number),
      nextDelegationId: ledger.nextPairId,
    }),
  ]);
  return changes.length;
}
