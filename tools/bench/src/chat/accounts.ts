import { type Sizes } from './sizes';

/** Accounts of the devnet, by purpose. */
export interface Accounts {
  all: readonly string[];
  pairs: readonly (readonly [sender: string, receiver: string])[];
  group: readonly string[];
  /** An account, and those with which it has a long and a short conversation. */
  history: { reader: string; long: string; short: string };
}

/** Names the accounts. Members of the group are also in the pairs. */
export function accountsFor({ pairs, group }: Pick<Sizes, 'pairs' | 'group'>): Accounts {
  const name = (number: number) => `bench-${String(number).padStart(4, '0')}`;
  const chatting = Math.max(2 * pairs, group.members);
  const history = { reader: name(chatting), long: name(chatting + 1), short: name(chatting + 2) };
  return {
    all: Array.from({ length: chatting + 3 }, (_, number) => name(number)),
    pairs: Array.from({ length: pairs }, (_, pair) => [name(2 * pair), name(2 * pair + 1)] as const),
    group: Array.from({ length: group.members }, (_, number) => name(number)),
    history,
  };
}
