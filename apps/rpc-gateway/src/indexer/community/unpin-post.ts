import { type CommunityAction } from './community-action';
import { refuseUnless } from './refusal';

export const unpinPost: CommunityAction = {
  name: 'unpinPost',
  keys: ['account', 'permlink'],
  act: (call) => {
    const post = call.post();
    call.requireRole('mod', 'only mods and above can unpin posts');
    refuseUnless(post.isPinned, 'post is not pinned');
    call.book.posts.change(post, { isPinned: false });
    call.tell('unpin_post', post.authorId, { postId: post.id });
  },
};
