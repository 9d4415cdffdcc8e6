import { findAccountsMethod, findAgreedAccount } from '../api/database-api';
import { type Finding, type Probe, works } from './probe';

/** hived creates it before the first block, on every chain. */
export const knownAccount = 'initminer';

/** What `AccountSignatures` and `ExistingAccounts` call. */
export const loginProbes: readonly Probe[] = [
  {
    method: findAccountsMethod,
    purpose: 'log-ins',
    needs: 'majority',
    consequence: 'accounts cannot log in',
    run: async (node): Promise<Finding> => {
      const account = await findAgreedAccount(node, knownAccount);
      return account === undefined ? { verdict: 'differs', detail: `it has no account ${knownAccount}` } : works;
    },
  },
];
