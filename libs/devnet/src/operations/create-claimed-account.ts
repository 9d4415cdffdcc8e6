import { assertion } from '../errors';
import { fieldsOf } from '../fields';
import { accountCreated } from './account-created';
import { addAccount, parseCreatedAccount, parseNoExtensions } from './created-account';
import { defineOperation } from './operation';

/** Creates an account by a right that was claimed before. */
export const createClaimedAccount = defineOperation({
  name: 'create_claimed_account',
  parse(json) {
    const fields = fieldsOf(json);
    return { ...parseCreatedAccount(fields), extensions: parseNoExtensions(fields) };
  },
  requires: ({ creator }) => [{ role: 'active', account: creator }],
  apply(value, { state, now, emit }) {
    const creator = state.getAccount(value.creator);
    if (creator.claimedAccounts === 0) {
      throw assertion('creator.has_pending_claimed_accounts()', '${creator} has no claimed accounts to create', {
        creator: creator.name,
      });
    }
    addAccount(value, state, now);
    state.putAccount({ ...creator, claimedAccounts: creator.claimedAccounts - 1 });
    emit(accountCreated(value));
  },
});
