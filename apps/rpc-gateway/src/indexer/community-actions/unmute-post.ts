import { type CommunityAction } from './community-action';
import { rejectUnless } from './community-action-error';

export const unmutePost: CommunityAction = {
  name: 'unmutePost',
  keys: ['account', 'permlink', 'notes'],
  apply: (context) => {
    const [post, notes] = [context.post(), context.notes()];
    context.requireRole('mod', 'only mods and above can unmute posts');
    rejectUnless(post.isMuted, 'post is not muted');
    rejectUnless(context.changeset.posts.findById(post.parentId)?.isMuted !== true, 'parent post is muted');
    context.changeset.posts.change(post, { isMuted: false });
    context.notifyAccount('unmute_post', post.authorId, { postId: post.id, payload: notes });
  },
};
