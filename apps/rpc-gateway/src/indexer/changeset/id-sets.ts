export const noIds: ReadonlySet<number> = new Set();

/** A set of ids for each account. */
export class IdSets {
  private readonly sets = new Map<number, Set<number>>();

  get(accountId: number | undefined): ReadonlySet<number> {
    return (accountId === undefined ? undefined : this.sets.get(accountId)) ?? noIds;
  }

  /** Adds an id to the set of an account, or removes it. */
  setMember(accountId: number, id: number, isMember: boolean): void {
    const set = this.sets.get(accountId);
    if (!isMember) set?.delete(id);
    else if (set) set.add(id);
    else this.sets.set(accountId, new Set([id]));
  }
}

/** Whether two sets have an id in common. Searches the larger set for the ids of the smaller one. */
export function haveCommonId(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  for (const id of smaller) if (larger.has(id)) return true;
  return false;
}
