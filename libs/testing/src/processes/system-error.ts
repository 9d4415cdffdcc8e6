/**
 * Whether it is an error of the operating system or Node with this code, such as `EEXIST`. Not by `instanceof`: in
 * Jest, Node's errors come from another realm.
 */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
