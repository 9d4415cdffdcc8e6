import { type CommunityAction } from './community-action';
import { refuseUnless } from './refusal';

export const flagPost: CommunityAction = {
  name: 'flagPost',
  keys: ['account', 'permlink', 'notes'],
  act: (call) => {
    const { book, actor } = call;
    const [post, notes] = [call.post(), call.notes()];
    call.requireRole('guest', 'muted users cannot flag posts');
    refuseUnless(book.communities.flags.find(post.id, actor.id) === undefined, 'user already flagged this post');
    book.communities.flags.put({ postId: post.id, accountId: actor.id });
    call.tellTeam('flag_post', { postId: post.id, payload: notes });
  },
};
