/**
 * Whether it is the operating system's or Node's error of that code, such as `EEXIST`. Not by `instanceof`: what Node
 * throws into a Jest test comes from outside of the test's own world.
 */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
