/** The chain's own rule is narrower; this one rejects names that make a node respond with an error. */
const possibleName = /^[a-z0-9.-]{1,16}$/;

/** Whether an account may have this name. */
export function isPossibleName(name: string): boolean {
  return possibleName.test(name);
}
