/** The start of the name of an account in filled tables; its number follows. */
export const benchPrefix = 'bench-';

/** Returns the name of an account in filled tables. */
export function benchAccount(number: number): string {
  return `${benchPrefix}${number}`;
}
