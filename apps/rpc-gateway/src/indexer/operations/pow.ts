import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type Effects } from '../effects';
import { accountCreation } from './account-creation';

/** In the first years accounts were mined: who had none by that name got it with the first proof of work. */
export const pow = onOperation(
  'pow_operation',
  z.object({ worker_account: z.string() }),
  (effects: Effects, { worker_account: name }, place) => {
    effects.add(place, accountCreation(name));
  },
);
