import { assertionFailed } from '@waggle/contracts';
import { z } from 'zod';
import { unindexedAccountId } from '../../accounts/known-accounts';
import { accountIds } from '../../accounts/accounts.statements';
import { communityContexts, communityRoleList } from '../../communities/communities.statements';
import { getCommunityId } from '../../communities/known-communities';
import { communityRoles, roleName } from '../../communities/roles';
import { method } from '../declaration/declaration';
import { community, limit, optionalAccount } from '../declaration/parameters';
import { type Sources } from '../declaration/sources';
import { member } from '../declaration/results';

export const listCommunityRoles = method({
  name: 'bridge.list_community_roles',
  summary: 'The accounts in a community whose role is not guest, highest role first',
  required: 1,
  parameters: { community, last: optionalAccount('account name'), limit: limit(1_000, 50) },
  result: z.array(member),
  example: { params: { community: 'hive-100001' }, result: [['hive-100001', 'owner', '']] },
  needs: ['live-head', 'communities'],
  handle: async ({ community: name, last, limit: maxRows }, { database }) => {
    const id = await getCommunityId(database, name);
    const lastRole = last === '' ? null : await getRole(database, id, last);
    const rows = await communityRoleList.query(database, { communityId: id, lastRole, lastName: last, limit: maxRows });
    return rows.map((row) => [row.name, roleName(row.role), row.title]);
  },
});

/** @throws RpcError if the account is a guest, because it cannot have been on the previous page */
async function getRole(database: Sources['database'], communityId: number, name: string): Promise<number> {
  const found = await accountIds.find(database, { names: [name] });
  const accountId = found?.id ?? unindexedAccountId;
  const context = await communityContexts.find(database, { accountId, communityIds: [communityId] });
  const role = context?.role ?? communityRoles.guest;
  if (role === communityRoles.guest) throw assertionFailed('invalid last');
  return role;
}
