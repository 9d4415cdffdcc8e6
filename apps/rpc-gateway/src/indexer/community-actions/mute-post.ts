import { type CommunityAction } from './community-action';
import { rejectUnless } from './community-action-error';

export const mutePost: CommunityAction = {
  name: 'mutePost',
  keys: ['account', 'permlink', 'notes'],
  apply: (context) => {
    const [link, notes] = [context.postLink(), context.notes()];
    context.requireRole('mod', 'only mods and above can mute posts');
    const post = context.post(link);
    rejectUnless(!post.isMuted, 'post is already muted');
    context.changeset.posts.change(post, { isMuted: true });
    context.notifyAccount('mute_post', post.authorId, { postId: post.id, payload: notes });
  },
};
