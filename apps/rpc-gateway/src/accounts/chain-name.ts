/** Every character that names on the chain have had: what has others is no account, and is not looked for. */
const rule = /^[a-z0-9.-]{1,16}$/;

export function mayBeOnChain(name: string): boolean {
  return rule.test(name);
}
