/** The order in which friendships and direct messages store two accounts: that of `COLLATE "C"`, since names are ASCII. */
export function orderedPair(account: string, other: string): [string, string] {
  return account < other ? [account, other] : [other, account];
}
