/** A digit for the type, and 4 to 6 more. */
export const communityNameRule = /^hive-([123])\d{4,6}$/;

/** Whether an account of that name is a community. */
export function isCommunityName(name: string): boolean {
  return communityNameRule.test(name);
}

/** Its type at first, which the name says. @throws RangeError for another name */
export function firstCommunityType(name: string): number {
  const [, type] = communityNameRule.exec(name) ?? [];
  if (type === undefined) throw new RangeError(`${name} is no name of a community`);
  return Number(type);
}
