import { type CommunityAction } from './community-action';
import { rejectUnless } from './community-action-error';

export const unmutePost: CommunityAction = {
  name: 'unmutePost',
  keys: ['account', 'permlink', 'notes'],
  apply: (context) => {
    const [link, notes] = [context.postLink(), context.notes()];
    context.requireRole('mod', 'only mods and above can unmute posts');
    const post = context.post(link);
    rejectUnless(post.isMuted, 'post is not muted');
    rejectUnless(context.changeset.posts.findById(post.parentId)?.isMuted !== true, 'parent post is muted');
    context.changeset.posts.change(post, { isMuted: false });
    context.notifyAccount('unmute_post', post.authorId, { postId: post.id, payload: notes });
  },
};
