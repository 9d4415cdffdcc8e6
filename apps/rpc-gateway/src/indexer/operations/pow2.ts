import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { accountCreation } from './account-creation';

const work = z.object({ input: z.object({ worker_account: z.string() }) });

/** As `pow`, with the second proof-of-work algorithm. */
export const pow2 = onOperation(
  'pow2_operation',
  z.object({ work: z.object({ value: work }) }),
  (updates: IndexUpdates, { work: { value } }, position) => {
    updates.add(position, accountCreation(value.input.worker_account));
  },
);
