/** A pair is stored under its two names in the order of their bytes, as the database compares them. */
export function inOrder(account: string, other: string): [string, string] {
  return account < other ? [account, other] : [other, account];
}
