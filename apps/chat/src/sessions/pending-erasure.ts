import { Statement } from '@waggle/service';
import { ChatError } from '../errors';
import { erasureTable } from './erasure.entity';

/** Returns a row if the data of the account is being erased. */
export const pendingErasure = new Statement({
  name: 'pending-erasure',
  text: 'SELECT FROM erasure WHERE account = $1 AND finished_at IS NULL',
  parameters: { account: erasureTable.account },
  columns: {},
});

/** Time after which an account may try to log in again: a small account is erased by then. */
const retryAfterMs = 30_000;

/** The error of a log-in, and of an export, while the account is being erased. */
export function beingErased(): ChatError {
  return new ChatError('being-erased', 'the data of the account is being erased; try again later', { retryAfterMs });
}
