import { type CommunityAction } from './community-action';
import { rejectUnless } from './community-action-error';

export const pinPost: CommunityAction = {
  name: 'pinPost',
  keys: ['account', 'permlink'],
  apply: (context) => {
    const post = context.post();
    context.requireRole('mod', 'only mods and above can pin posts');
    rejectUnless(!post.isPinned, 'post is already pinned');
    context.changeset.posts.change(post, { isPinned: true });
    context.notifyAccount('pin_post', post.authorId, { postId: post.id });
  },
};
