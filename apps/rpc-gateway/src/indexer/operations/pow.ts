import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { accountCreation } from './account-creation';

/** In the first years the first proof of work in the name of an account created it. */
export const pow = onOperation(
  'pow_operation',
  z.object({ worker_account: z.string() }),
  (updates: IndexUpdates, { worker_account: name }, position) => {
    updates.add(position, accountCreation(name));
  },
);
