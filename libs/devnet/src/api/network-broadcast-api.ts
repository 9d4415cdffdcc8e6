import { type Api, named } from './api';

export const networkBroadcastApi: Api = {
  name: 'network_broadcast_api',
  methods: {
    broadcast_transaction({ submit }, params) {
      submit(named(params)['trx']);
      return {};
    },
  },
};
