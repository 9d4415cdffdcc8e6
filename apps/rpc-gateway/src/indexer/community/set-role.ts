import { communityRoles, findRole, roleName } from '../../communities/roles';
import { type CommunityAction } from './community-action';
import { type CommunityCall } from './community-call';
import { textOf } from './payload';
import { refuseUnless } from './refusal';

/** Owner, admins and moderators together: each of them is told of every flag. */
const mostInTeam = 100;

export const setRole: CommunityAction = {
  name: 'setRole',
  keys: ['account', 'role'],
  act: (call) => {
    const { book, community } = call;
    const account = call.account();
    const role = findRole(textOf(call.payload, 'role', { most: 16 }));
    refuseUnless(role !== undefined, 'invalid role');
    requireMaySet(call, account, role);
    book.communities.setRole(community.id, account.id, { role });
    call.tell('set_role', account.id, { payload: roleName(role) });
  },
};

function requireMaySet(call: CommunityCall, account: ReturnType<CommunityCall['account']>, role: number): void {
  const { book, actor, community } = call;
  const [own, former] = [call.roleOf(actor), call.roleOf(account)];
  call.requireRole('mod', 'only mods and up can alter roles');
  refuseUnless(own > role, 'cannot promote to or above own rank');
  refuseUnless(former !== communityRoles.owner, 'cant modify owner role');
  if (account.id !== actor.id) {
    refuseUnless(former < own, 'cant modify a user with a higher role');
    refuseUnless(former !== role, 'role would not change');
  }
  const others = book.communities.team(community.id).filter((id) => id !== account.id);
  refuseUnless(role < communityRoles.mod || others.length < mostInTeam, 'moderator limit exceeded');
}
