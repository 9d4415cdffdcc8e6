import { communityRoles, findRoleNumber, roleName } from '../../communities/roles';
import { type Account } from '../changeset/accounts';
import { type CommunityAction, type CommunityActionContext } from './community-action';
import { textOf } from './payload';
import { rejectUnless } from './community-action-error';

/** Owner, admins and moderators together: each of them gets a notification for every flag. */
const maxTeamSize = 100;

export const setRole: CommunityAction = {
  name: 'setRole',
  keys: ['account', 'role'],
  apply: (context) => {
    const { changeset, community } = context;
    const account = context.account();
    const role = findRoleNumber(textOf(context.payload, 'role', { maxLength: 16 }));
    rejectUnless(role !== undefined, 'invalid role');
    requireMaySet(context, account, role);
    changeset.communities.setRoleOrTitle(community.id, account.id, { role });
    context.notifyAccount('set_role', account.id, { payload: roleName(role) });
  },
};

function requireMaySet(context: CommunityActionContext, account: Account, role: number): void {
  const { changeset, actor, community } = context;
  const [own, current] = [context.roleOf(actor), context.roleOf(account)];
  context.requireRole('mod', 'only mods and up can alter roles');
  rejectUnless(own > role, 'cannot promote to or above own rank');
  rejectUnless(current !== communityRoles.owner, 'cant modify owner role');
  if (account.id !== actor.id) {
    rejectUnless(current < own, 'cant modify a user with a higher role');
    rejectUnless(current !== role, 'role would not change');
  }
  const others = changeset.communities.team(community.id).filter((id) => id !== account.id);
  rejectUnless(role < communityRoles.mod || others.length < maxTeamSize, 'moderator limit exceeded');
}

export const setUserTitle: CommunityAction = {
  name: 'setUserTitle',
  keys: ['account', 'title'],
  apply: (context) => {
    const account = context.account();
    const title = textOf(context.payload, 'title', { maxLength: 32, mayBeBlank: true });
    context.requireRole('mod', 'only mods can set user titles');
    context.changeset.communities.setRoleOrTitle(context.community.id, account.id, { title });
    context.notifyAccount('set_title', account.id, { payload: title });
  },
};
