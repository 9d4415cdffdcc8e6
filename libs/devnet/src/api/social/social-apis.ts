import { secondsOf } from '../../time';
import { type Api } from '../api';
import { namedReputations } from '../reputation-api';
import { accountLists, accountPosts, pageOf, postOf, rankedPosts, rankings } from './post-lists';
import { accountOf, nameOf, optionalAccountOf, parametersOf, permlinkOf, sortOf } from './parameters';
import { discussionObject, postObject } from './post-object';
import { profileObject } from './profile-object';

const page = ['start_author', 'start_permlink', 'limit'] as const;

/** Posts and profiles of a social gateway. `observer` is validated and has no effect. */
export const bridgeApi: Api = {
  name: 'bridge',
  methods: {
    get_post({ view: { state } }, params) {
      const { author, permlink, observer } = parametersOf(params, ['author', 'permlink', 'observer']);
      optionalAccountOf(state, observer);
      return postObject(state, postOf(state, nameOf(author), permlinkOf(permlink)));
    },

    /** Empty if there is no such post. */
    get_discussion({ view: { state } }, params) {
      const { author, permlink, observer } = parametersOf(params, ['author', 'permlink', 'observer']);
      optionalAccountOf(state, observer);
      const comment = state.comments.find(nameOf(author), permlinkOf(permlink));
      return comment ? discussionObject(state, comment) : {};
    },

    get_ranked_posts({ view: { state } }, params) {
      const fields = parametersOf(params, ['sort', ...page, 'tag', 'observer']);
      optionalAccountOf(state, fields['observer']);
      const tag = typeof fields['tag'] === 'string' ? fields['tag'] : '';
      const found = rankedPosts(state, sortOf(fields['sort'], rankings), tag);
      return pageOf(state, found, fields).map((comment) => postObject(state, comment));
    },

    get_account_posts({ view: { state } }, params) {
      const fields = parametersOf(params, ['sort', 'account', ...page, 'observer']);
      optionalAccountOf(state, fields['observer']);
      const sort = sortOf(fields['sort'], accountLists);
      const found = accountPosts(state, sort, accountOf(state, fields['account']));
      return pageOf(state, found, fields).map((comment) => postObject(state, comment));
    },

    get_profile({ view: { state } }, params) {
      const { account, observer } = parametersOf(params, ['account', 'observer']);
      optionalAccountOf(state, observer);
      return profileObject(state.getAccount(accountOf(state, account)));
    },
  },
};

export const followApi: Api = {
  name: 'follow_api',
  methods: {
    get_account_reputations({ view }, params) {
      const { account_lower_bound, limit } = parametersOf(params, ['account_lower_bound', 'limit']);
      return { reputations: namedReputations(view.state, account_lower_bound, limit) };
    },
  },
};

/**
 * The namespace `hive` of a social gateway (Hivemind). `db_head_state` reports the last indexed block; here always the
 * head.
 */
export const hiveNamespace: Api = {
  name: 'hive',
  methods: {
    db_head_state({ view: { head } }) {
      return {
        db_head_block: head.number,
        // Hivemind separates date and time by a space.
        db_head_time: head.timestamp.replace('T', ' '),
        db_head_age: Math.floor(Date.now() / 1000 - secondsOf(head.timestamp)),
      };
    },
  },
};
