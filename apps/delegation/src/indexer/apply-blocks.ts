import { type FollowedBlock } from '@waggle/chain';
import { type Queryable } from '@waggle/service';
import { type IndexState } from '../index-state/index-state';
import { advanceIndexState, lockIndexState } from '../index-state/index-state.statements';
import {
  deleteReturns,
  findPairs,
  findReturns,
  findReturnsOf,
  growBalances,
  insertChanges,
  insertReturns,
  writePairs,
} from './batch-statements';
import { Ledger } from './ledger';
import { namedBy } from './named-by';
import { handlers } from './operations';
import { PendingReturns } from './pending-returns';
import { type PlacedStep, Steps } from './steps';

/**
 * Applies the blocks after the last one that was applied, within the caller's transaction.
 *
 * @param irreversibleBlock the last one of the chain, as far as it is known
 * @returns how many changes they made
 * @throws OperationError where one cannot be understood; Error where the blocks are not the next ones
 */
export async function applyBlocks(
  client: Queryable,
  blocks: readonly FollowedBlock[],
  irreversibleBlock: number,
): Promise<number> {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const state = await lockIndexState(client);
  if (first.number !== state.syncedBlock + 1) {
    throw new Error(`block ${first.number} is not the one after ${state.syncedBlock}, the last that was applied`);
  }
  const steps = new Steps();
  await handlers.handle(steps, blocks);
  const ledger = steps.placed.length === 0 ? undefined : await applySteps(client, steps.placed, state);
  await advanceIndexState(client, {
    syncedBlock: last.number,
    syncedTime: last.timestamp,
    irreversibleBlock: Math.max(irreversibleBlock, last.number),
    nextDelegationId: ledger?.nextPairId ?? state.nextDelegationId,
  });
  return ledger?.changes.length ?? 0;
}

async function applySteps(client: Queryable, steps: readonly PlacedStep[], state: IndexState): Promise<Ledger> {
  const ledger = await openLedger(client, steps, state);
  for (const step of steps) ledger.apply(step);
  const { returns, touched, changes, growth } = ledger;
  if (touched.size > 0) await writePairs(client, [...touched]);
  if (changes.length > 0) await insertChanges(client, changes);
  if (growth.size > 0) await growBalances(client, growth);
  if (returns.removed.length > 0) await deleteReturns(client, returns.removed);
  if (returns.added.length > 0) await insertReturns(client, returns.added);
  return ledger;
}

async function openLedger(client: Queryable, steps: readonly PlacedStep[], state: IndexState): Promise<Ledger> {
  const named = namedBy(steps);
  const { cleared, returned } = named;
  const pairs = named.delegators.length + cleared.length === 0 ? [] : await findPairs(client, named, cleared);
  const returns = returned.length + cleared.length === 0 ? [] : await findReturns(client, returned, cleared);
  // Those that a node told of while they came about are told of by their blocks once more.
  const isToldTwice = steps.some(({ block }) => block > state.loadedTo && block <= state.returnsLoadedTo);
  const told = isToldTwice ? await findReturnsOf(client, named.delegators) : [];
  return new Ledger(pairs, new PendingReturns([...returns, ...told]), state.nextDelegationId, state);
}
