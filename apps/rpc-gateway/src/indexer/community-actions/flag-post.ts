import { type CommunityAction } from './community-action';
import { rejectUnless } from './community-action-error';

export const flagPost: CommunityAction = {
  name: 'flagPost',
  keys: ['account', 'permlink', 'notes'],
  apply: (context) => {
    const { changeset, actor } = context;
    const [link, notes] = [context.postLink(), context.notes()];
    context.requireRole('guest', 'muted users cannot flag posts');
    const post = context.post(link);
    rejectUnless(changeset.communities.flags.find(post.id, actor.id) === undefined, 'user already flagged this post');
    changeset.communities.flags.put({ postId: post.id, accountId: actor.id });
    context.notifyTeam('flag_post', { postId: post.id, payload: notes });
  },
};
