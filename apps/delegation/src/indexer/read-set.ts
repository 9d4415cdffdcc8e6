import { type PairNames } from './batch.statements';
import { amountKey } from './pending-returns';
import { type BlockStep } from './operations/steps';

/** The read set of steps: what must be read before they are applied. */
export interface ReadSet extends PairNames {
  /** Accounts whose delegations and pending returns all end. */
  readonly cleared: readonly string[];
  /** Returned amounts, without duplicates. */
  readonly returned: readonly { delegator: string; amount: bigint }[];
}

/** Collects the read set of the steps. */
export function readSetOf(steps: readonly BlockStep[]): ReadSet {
  const delegators: string[] = [];
  const delegatees: string[] = [];
  const cleared = new Set<string>();
  const returned = new Map<string, { delegator: string; amount: bigint }>();
  for (const { step } of steps) {
    if (step.kind === 'returned') {
      const { delegator, amount } = step;
      returned.set(amountKey(step), { delegator, amount });
      continue;
    }
    if (step.kind === 'clear') cleared.add(step.delegator);
    for (const delegatee of step.kind === 'clear' ? step.delegatees : [step.delegatee]) {
      delegators.push(step.delegator);
      delegatees.push(delegatee);
    }
  }
  return { delegators, delegatees, cleared: [...cleared], returned: [...returned.values()] };
}
