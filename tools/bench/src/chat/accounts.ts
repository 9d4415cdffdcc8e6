import { type Sizes } from './sizes';

/** Who takes part in a bench, by what for. All are accounts of the devnet. */
export interface Accounts {
  all: readonly string[];
  pairs: readonly (readonly [sender: string, receiver: string])[];
  group: readonly string[];
  /** One account, and those with whom it has the long and the short conversation. */
  history: { reader: string; long: string; short: string };
}

/** Names for as many accounts as the sizes need; the members of the group are also those of the pairs. */
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
