import { type CommunityAction } from './community-action';
import { rejectUnless } from './community-action-error';

export const unpinPost: CommunityAction = {
  name: 'unpinPost',
  keys: ['account', 'permlink'],
  apply: (context) => {
    const link = context.postLink();
    context.requireRole('mod', 'only mods and above can unpin posts');
    const post = context.post(link);
    rejectUnless(post.isPinned, 'post is not pinned');
    context.changeset.posts.change(post, { isPinned: false });
    context.notifyAccount('unpin_post', post.authorId, { postId: post.id });
  },
};
