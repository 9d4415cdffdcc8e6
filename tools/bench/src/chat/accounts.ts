import { type Sizes } from './sizes';

/** Accounts of the devnet, by purpose. */
export interface Accounts {
  all: readonly string[];
  pairs: readonly (readonly [sender: string, receiver: string])[];
  group: readonly string[];
  /** An account, and its partners in a long and a short conversation. */
  history: { reader: string; longPartner: string; shortPartner: string };
  /** Accounts with many and few conversations. */
  largeAccount: { many: string; few: string };
}

/** Names the accounts. The pairs and the group share accounts, from the first on. */
export function accountsFor({ pairs, group }: Pick<Sizes, 'pairs' | 'group'>): Accounts {
  const name = (number: number) => `bench-${String(number).padStart(4, '0')}`;
  const chatting = Math.max(2 * pairs, group.members);
  const history = { reader: name(chatting), longPartner: name(chatting + 1), shortPartner: name(chatting + 2) };
  return {
    all: Array.from({ length: chatting + 5 }, (_, number) => name(number)),
    pairs: Array.from({ length: pairs }, (_, pair) => [name(2 * pair), name(2 * pair + 1)] as const),
    group: Array.from({ length: group.members }, (_, number) => name(number)),
    history,
    largeAccount: { many: name(chatting + 3), few: name(chatting + 4) },
  };
}
