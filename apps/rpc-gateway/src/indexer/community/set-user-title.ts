import { type CommunityAction } from './community-action';
import { textOf } from './payload';

export const setUserTitle: CommunityAction = {
  name: 'setUserTitle',
  keys: ['account', 'title'],
  act: (call) => {
    const account = call.account();
    const title = textOf(call.payload, 'title', { most: 32, mayBeBlank: true });
    call.requireRole('mod', 'only mods can set user titles');
    call.book.communities.setRole(call.community.id, account.id, { title });
    call.tell('set_title', account.id, { payload: title });
  },
};
