import { write } from '../dialect';
import { type Api, named } from './api';
import { rcAccounts, resourceParameters, resourcePools } from './rc-objects';

export const rcApi: Api = {
  name: 'rc_api',
  methods: {
    find_rc_accounts({ view, software }, params) {
      return write({ rc_accounts: rcAccounts(view, software, named(params)['accounts'] ?? []) }, 'appbase');
    },

    get_resource_params: () => write(resourceParameters(), 'appbase'),
    get_resource_pool: ({ software }) => write(resourcePools(software), 'appbase'),
  },
};
