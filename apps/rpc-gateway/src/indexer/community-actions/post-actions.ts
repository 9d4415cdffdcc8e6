import { mutedBits } from '../../posts/muted-reasons';
import { type CommunityAction } from './community-action';
import { rejectUnless } from './community-action-error';

export const mutePost: CommunityAction = {
  name: 'mutePost',
  keys: ['account', 'permlink', 'notes'],
  apply: (context) => {
    const [link, notes] = [context.postLink(), context.notes()];
    context.requireRole('mod', 'only mods and above can mute posts');
    const post = context.post(link);
    rejectUnless(post.mutedReasons === 0, 'post is already muted');
    context.changeset.posts.change(post, { mutedReasons: mutedBits('MUTED_COMMUNITY_MODERATION') });
    context.notifyAccount('mute_post', post.authorId, { postId: post.id, payload: notes });
  },
};

export const unmutePost: CommunityAction = {
  name: 'unmutePost',
  keys: ['account', 'permlink', 'notes'],
  apply: (context) => {
    const [link, notes] = [context.postLink(), context.notes()];
    context.requireRole('mod', 'only mods and above can unmute posts');
    const post = context.post(link);
    rejectUnless(post.mutedReasons > 0, 'post is not muted');
    const parent = context.changeset.posts.findById(post.parentId);
    rejectUnless((parent?.mutedReasons ?? 0) === 0, 'parent post is muted');
    context.changeset.posts.change(post, { mutedReasons: 0 });
    context.notifyAccount('unmute_post', post.authorId, { postId: post.id, payload: notes });
  },
};

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

export const flagPost: CommunityAction = {
  name: 'flagPost',
  keys: ['account', 'permlink', 'notes'],
  apply: (context) => {
    const { changeset, actor } = context;
    const [link, notes] = [context.postLink(), context.notes()];
    context.requireRole('guest', 'muted users cannot flag posts');
    const post = context.post(link);
    rejectUnless(changeset.communities.flags.find(post.id, actor.id) === undefined, 'user already flagged this post');
    changeset.communities.flags.put({ postId: post.id, accountId: actor.id });
    context.notifyTeam('flag_post', { postId: post.id, payload: notes });
  },
};
