import { type CommunityAction } from './community-action';
import { refuseUnless } from './refusal';

export const unmutePost: CommunityAction = {
  name: 'unmutePost',
  keys: ['account', 'permlink', 'notes'],
  act: (call) => {
    const [post, notes] = [call.post(), call.notes()];
    call.requireRole('mod', 'only mods and above can unmute posts');
    refuseUnless(post.isMuted, 'post is not muted');
    refuseUnless(call.book.posts.findById(post.parentId)?.isMuted !== true, 'parent post is muted');
    call.book.posts.change(post, { isMuted: false });
    call.tell('unmute_post', post.authorId, { postId: post.id, payload: notes });
  },
};
