import { benchAccount } from '@waggle/running';
import { honestAddress } from '../traffic/addresses';
import { failureOf, HttpClient } from '../traffic/http-client';
import { type Target } from '../target/target';
import { type HonestClient } from './honest-client';

/** Starts the client of a page that reads notifications, the head of the chain and an account. */
export function startHonestGateway(target: Target): HonestClient {
  const http = new HttpClient(target.service('rpc-gateway').url, honestAddress);
  const call = (method: string, params: unknown) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return {
      name: method,
      run: async () => {
        const response = await http.send('/rpc', { method: 'POST', body });
        return failureOf(response) ?? (response.text.includes('"result"') ? undefined : 'JSON-RPC error');
      },
    };
  };
  return {
    operations: [
      call('bridge.account_notifications', { account: benchAccount(1), limit: 20 }),
      call('condenser_api.get_dynamic_global_properties', []),
      call('database_api.find_accounts', { accounts: ['alice'] }),
    ],
    perSecond: 40,
    close: () => http.close(),
  };
}
