/** A digit for the type, followed by 4 to 6 digits. */
export const communityNameRule = /^hive-([123])\d{4,6}$/;

/** Whether an account of that name is a community. */
export function isCommunityName(name: string): boolean {
  return communityNameRule.test(name);
}

/** The initial type of a community, which is part of its name. @throws RangeError for another name */
export function initialCommunityType(name: string): number {
  const [, type] = communityNameRule.exec(name) ?? [];
  if (type === undefined) throw new RangeError(`${name} is not the name of a community`);
  return Number(type);
}
