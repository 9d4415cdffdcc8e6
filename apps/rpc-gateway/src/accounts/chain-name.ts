/** All characters that account names on the chain have ever had. Other names are neither indexed nor sent to nodes. */
const rule = /^[a-z0-9.-]{1,16}$/;

export function mayBeOnChain(name: string): boolean {
  return rule.test(name);
}
