/** The roles in a community, and their numbers in the database. A higher number has more permissions. */
export const communityRoles = { muted: -2, guest: 0, member: 2, mod: 4, admin: 6, owner: 8 } as const;

export type CommunityRoleName = keyof typeof communityRoles;

const numberByName = new Map<string, number>(Object.entries(communityRoles));
const nameByNumber = new Map<number, string>(Array.from(numberByName, ([name, number]) => [number, name]));

/** Returns the name of a role. @throws RangeError for an unknown number */
export function roleName(number: number): string {
  const name = nameByNumber.get(number);
  if (name === undefined) throw new RangeError(`${number} is not a role`);
  return name;
}

/** Returns the number of a role; undefined for an unknown name. */
export function findRoleNumber(name: string): number | undefined {
  return numberByName.get(name);
}
