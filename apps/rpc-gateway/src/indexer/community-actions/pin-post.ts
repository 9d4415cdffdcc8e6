import { type CommunityAction } from './community-action';
import { rejectUnless } from './community-action-error';

export const pinPost: CommunityAction = {
  name: 'pinPost',
  keys: ['account', 'permlink'],
  apply: (context) => {
    const link = context.postLink();
    context.requireRole('mod', 'only mods and above can pin posts');
    const post = context.post(link);
    rejectUnless(!post.isPinned, 'post is already pinned');
    context.changeset.posts.change(post, { isPinned: true });
    context.notifyAccount('pin_post', post.authorId, { postId: post.id });
  },
};
