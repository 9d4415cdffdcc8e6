import { type Api } from './api';
import { namedReputations } from './reputations';
import { parametersOf } from './social/parameters';

export const followApi: Api = {
  name: 'follow_api',
  methods: {
    get_account_reputations({ view }, params) {
      const { account_lower_bound, limit } = parametersOf(params, ['account_lower_bound', 'limit']);
      return { reputations: namedReputations(view.state, account_lower_bound, limit) };
    },
  },
};
