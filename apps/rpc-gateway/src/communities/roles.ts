/** The roles in a community. A higher number has more permissions. */
export const communityRoles = { muted: -2, guest: 0, member: 2, mod: 4, admin: 6, owner: 8 } as const;

export type CommunityRole = keyof typeof communityRoles;

const names = new Map<number, string>(Object.entries(communityRoles).map(([name, number]) => [number, name]));

/** @throws RangeError for an unknown number */
export function roleName(role: number): string {
  const name = names.get(role);
  if (name === undefined) throw new RangeError(`${role} is not a role`);
  return name;
}

/** @returns undefined for an unknown name */
export function findRole(name: string): number | undefined {
  return new Map<string, number>(Object.entries(communityRoles)).get(name);
}
