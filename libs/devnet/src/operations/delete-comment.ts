import { parseAccountName } from '../state/account';
import { assertion } from '../errors';
import { fieldsOf } from '../fields';
import { defineOperation } from './operation';
import { parsePermlink } from './permlinks';

/**
 * Deletes a comment, so that its name is free. A comment with positive votes stays, and a virtual operation reports
 * that, as before hardfork 19. Later this is an error, but indexers read older blocks.
 */
export const deleteComment = defineOperation({
  name: 'delete_comment',
  parse(json) {
    const fields = fieldsOf(json);
    return { author: parseAccountName(fields['author']), permlink: parsePermlink(fields['permlink']) };
  },
  requires: ({ author }) => [{ role: 'posting', account: author }],
  apply({ author, permlink }, { state, emit }) {
    const comment = state.comments.get(author, permlink);
    if (comment.children > 0) {
      throw assertion('!comment_cashout->has_replies()', 'Cannot delete a comment with replies.');
    }
    if (comment.payout) throw assertion('comment_cashout', 'Cannot delete comment after payout.');
    if (comment.netRshares > 0n) {
      emit({ name: 'ineffective_delete_comment', value: { author, permlink } });
      return;
    }
    state.votes.removeAll(comment);
    state.comments.remove(comment);
  },
});
