import { type FollowedBlock } from '@waggle/chain';
import { handlerByType } from './operations';
import { type Step } from './operations/step';

/** A step, and where in the chain it stands. */
export interface PlacedStep {
  readonly block: number;
  readonly time: Date;
  /** The time of the block before, by which the chain dates what an operation begins. */
  readonly headTime: Date;
  readonly step: Step;
}

/** What blocks do to delegations, in the order of the chain. @throws Error where an operation cannot be understood */
export function placedSteps(blocks: readonly FollowedBlock[]): PlacedStep[] {
  return blocks.flatMap(({ number: block, timestamp: time, previousTimestamp: headTime, operations }) =>
    operations.flatMap(({ type, value }) => {
      const step = handlerByType.get(type)?.read(value);
      return step === undefined ? [] : [{ block, time, headTime, step }];
    }),
  );
}
