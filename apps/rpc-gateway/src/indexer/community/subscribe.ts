import { scoreOf, tell } from '../telling';
import { type CommunityAction } from './community-action';
import { refuseUnless } from './refusal';

export const subscribe: CommunityAction = {
  name: 'subscribe',
  keys: [],
  act: (call) => {
    const { book, moment, actor, community } = call;
    refuseUnless(!call.isSubscribed(actor), 'already subscribed');
    book.communities.subscriptions.put({ communityId: community.id, accountId: actor.id, created: moment.time });
    book.communities.change(community.id, ({ subscribers }) => ({ subscribers: subscribers + 1 }));
    tell(book, moment, 'subscribe', {
      recipientId: community.id,
      sourceId: actor.id,
      communityId: community.id,
      score: scoreOf(book, actor.id),
      // What it was called then.
      payload: community.title,
    });
  },
};
