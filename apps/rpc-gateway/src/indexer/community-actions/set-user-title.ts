import { type CommunityAction } from './community-action';
import { textOf } from './payload';

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
