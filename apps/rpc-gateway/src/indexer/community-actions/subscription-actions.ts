import { scoreOf, notify } from '../changeset/notification-rules';
import { type CommunityAction } from './community-action';
import { rejectUnless } from './community-action-error';

export const subscribe: CommunityAction = {
  name: 'subscribe',
  keys: [],
  apply: (context) => {
    const { changeset, time, actor, community } = context;
    rejectUnless(!context.isSubscribed(actor), 'already subscribed');
    changeset.communities.subscriptions.put({ communityId: community.id, accountId: actor.id, created: time });
    changeset.communities.change(community.id, ({ subscribers }) => ({ subscribers: subscribers + 1 }));
    notify(changeset, time, 'subscribe', {
      recipientId: community.id,
      sourceId: actor.id,
      communityId: community.id,
      score: scoreOf(changeset, actor.id),
      // The title at the time of the subscription.
      payload: community.title,
    });
  },
};

export const unsubscribe: CommunityAction = {
  name: 'unsubscribe',
  keys: [],
  apply: ({ changeset: { communities }, actor, community }) => {
    const subscription = communities.subscriptions.find(community.id, actor.id);
    rejectUnless(subscription !== undefined, 'already unsubscribed');
    communities.subscriptions.remove(subscription);
    communities.change(community.id, ({ subscribers }) => ({ subscribers: subscribers - 1 }));
  },
};
