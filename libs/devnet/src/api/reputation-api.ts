import { write } from '../dialect';
import { assertion } from '../errors';
import { countOf, optional, textOf } from '../fields';
import { type Account } from '../state/account';
import { type ChainState } from '../state/state';
import { accountsFrom } from './objects/account-objects';
import { type Api, named } from './api';

export const reputationApi: Api = {
  name: 'reputation_api',
  methods: {
    get_account_reputations({ view }, params) {
      const { account_lower_bound, limit } = named(params);
      return { reputations: accountReputations(view.state, account_lower_bound, limit) };
    },
  },
};

const maxReputations = 1000;

/** Accounts by name, from the first that is not before the lower bound. @throws NodeError */
function fromLowerBound(state: ChainState, lowerBound: unknown, limit: unknown): Account[] {
  const count = optional(limit, countOf) ?? maxReputations;
  if (count > maxReputations) {
    throw assertion('args.limit <= 1000', 'Cannot retrieve more than 1000 account reputations at a time.');
  }
  return accountsFrom(state, optional(lowerBound, textOf) ?? '', count);
}

/** `{account, reputation}`, in hived's form: a large reputation is a string. */
export function accountReputations(state: ChainState, lowerBound: unknown, limit: unknown): unknown[] {
  return fromLowerBound(state, lowerBound, limit).map(({ name, reputation = 0n }) =>
    write({ account: name, reputation }, 'appbase'),
  );
}

/** `{name, reputation}`, as a social gateway returns them. */
export function namedReputations(state: ChainState, lowerBound: unknown, limit: unknown): object[] {
  return fromLowerBound(state, lowerBound, limit).map(({ name, reputation = 0n }) => ({
    name,
    reputation: Number(reputation),
  }));
}
