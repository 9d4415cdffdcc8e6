import { type CommunityAction } from './community-action';
import { rejectUnless } from './community-action-error';

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
