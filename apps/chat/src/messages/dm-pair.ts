/** A pair's dm is stored under the two names in the order of their bytes, as the database compares them. */
export function dmPair(account: string, other: string): [string, string] {
  return account < other ? [account, other] : [other, account];
}
