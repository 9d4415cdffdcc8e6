import { write } from '../../dialect';
import { type Api } from '../api';
import { activeVotes, contentObject } from '../objects/comment-objects';
import { accountReputations } from '../reputation-api';
import { nameOf, parametersOf, permlinkOf } from './parameters';
import { postOf } from './post-lists';

/** The part of condenser_api that a social gateway also serves. */
export const condenserContent: Api = {
  name: 'condenser_api',
  methods: {
    get_content({ view: { state } }, params) {
      const { author, permlink } = parametersOf(params, ['author', 'permlink', 'observer']);
      return write(contentObject(state, postOf(state, nameOf(author), permlinkOf(permlink))), 'legacy');
    },

    /** The direct replies to a post or a reply. */
    get_content_replies({ view: { state } }, params) {
      const { author, permlink } = parametersOf(params, ['author', 'permlink', 'observer']);
      const replies = state.comments.repliesTo({ author: nameOf(author), permlink: permlinkOf(permlink) });
      return replies.map((reply) => write(contentObject(state, reply), 'legacy'));
    },

    get_active_votes({ view: { state } }, params) {
      const { author, permlink } = parametersOf(params, ['author', 'permlink', 'observer']);
      return activeVotes(state, postOf(state, nameOf(author), permlinkOf(permlink)));
    },

    get_account_reputations({ view: { state } }, params) {
      const { account_lower_bound, limit } = parametersOf(params, ['account_lower_bound', 'limit']);
      return accountReputations(state, account_lower_bound, limit);
    },
  },
};
