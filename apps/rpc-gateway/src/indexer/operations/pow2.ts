import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type Effects } from '../effects';
import { accountCreation } from './account-creation';

const work = z.object({ input: z.object({ worker_account: z.string() }) });

/** As `pow`, with the second kind of work. */
export const pow2 = onOperation(
  'pow2_operation',
  z.object({ work: z.object({ value: work }) }),
  (effects: Effects, { work: { value } }, place) => {
    effects.add(place, accountCreation(value.input.worker_account));
  },
);
