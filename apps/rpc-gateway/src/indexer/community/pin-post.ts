import { type CommunityAction } from './community-action';
import { refuseUnless } from './refusal';

export const pinPost: CommunityAction = {
  name: 'pinPost',
  keys: ['account', 'permlink'],
  act: (call) => {
    const post = call.post();
    call.requireRole('mod', 'only mods and above can pin posts');
    refuseUnless(!post.isPinned, 'post is already pinned');
    call.book.posts.change(post, { isPinned: true });
    call.tell('pin_post', post.authorId, { postId: post.id });
  },
};
