import { findAccountsMethod, findAgreedAccount } from '../api/database-api';
import { type Finding, notServed, type Probe, works } from './probe';

/** hived creates it before the first block, on every chain. */
export const knownAccount = 'initminer';

/** @param account what the node returned for `knownAccount` */
export function knownAccountFinding(account: unknown): Finding {
  return account === undefined ? notServed(`it has no account ${knownAccount}`) : works;
}

/** What `AccountSignatures` and `ExistingAccounts` call. */
export const loginProbes: readonly Probe[] = [
  {
    method: findAccountsMethod,
    purpose: 'log-ins',
    requiredNodes: 'majority',
    consequence: 'accounts cannot log in',
    run: async (node) => knownAccountFinding(await findAgreedAccount(node, knownAccount)),
  },
];
