import { type Api, named } from './api';
import { accountReputations } from './reputations';

export const reputationApi: Api = {
  name: 'reputation_api',
  methods: {
    get_account_reputations({ view }, params) {
      const { account_lower_bound, limit } = named(params);
      return { reputations: accountReputations(view.state, account_lower_bound, limit) };
    },
  },
};
