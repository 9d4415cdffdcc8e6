import { type CommunityAction } from './community-action';
import { refuseUnless } from './refusal';

export const mutePost: CommunityAction = {
  name: 'mutePost',
  keys: ['account', 'permlink', 'notes'],
  act: (call) => {
    const [post, notes] = [call.post(), call.notes()];
    call.requireRole('mod', 'only mods and above can mute posts');
    refuseUnless(!post.isMuted, 'post is already muted');
    call.book.posts.change(post, { isMuted: true });
    call.tell('mute_post', post.authorId, { postId: post.id, payload: notes });
  },
};
