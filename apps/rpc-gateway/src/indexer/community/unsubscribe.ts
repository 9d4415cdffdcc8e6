import { type CommunityAction } from './community-action';
import { refuseUnless } from './refusal';

export const unsubscribe: CommunityAction = {
  name: 'unsubscribe',
  keys: [],
  act: ({ book: { communities }, actor, community }) => {
    const subscription = communities.subscriptions.find(community.id, actor.id);
    refuseUnless(subscription !== undefined, 'already unsubscribed');
    communities.subscriptions.remove(subscription);
    communities.change(community.id, ({ subscribers }) => ({ subscribers: subscribers - 1 }));
  },
};
