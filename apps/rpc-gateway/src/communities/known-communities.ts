import { assertionFailed, type RpcError } from '@waggle/contracts';
import { type Queryable } from '@waggle/service';
import { communityContexts, communityId } from './communities.statements';
import { roleName } from './roles';

/** The role, subscription and title of an account in a community. */
export interface CommunityContext {
  readonly role: string;
  readonly subscribed: boolean;
  readonly title: string;
}

/** @throws RpcError if the community does not exist */
export async function getCommunityId(database: Queryable, name: string): Promise<number> {
  const row = await communityId.find(database, { name });
  if (row === undefined) throw communityNotFound(name);
  return row.id;
}

export function communityNotFound(name: string): RpcError {
  return assertionFailed(`Community ${name} does not exist`);
}

/** @param accountId undefined without an observer: the result is then empty */
export async function findContexts(
  database: Queryable,
  accountId: number | undefined,
  communityIds: readonly number[],
): Promise<ReadonlyMap<number, CommunityContext>> {
  if (accountId === undefined || communityIds.length === 0) return new Map();
  const rows = await communityContexts.query(database, { accountId, communityIds });
  return new Map(rows.map(({ id, role, title, subscribed }) => [id, { role: roleName(role), subscribed, title }]));
}
