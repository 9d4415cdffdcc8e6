import { accountName } from '@waggle/running';
import { honestAddress } from '../attacker/addresses';
import { HttpClient } from '../http-client';
import { type Target } from '../target/target';
import { type HonestClient, judgeResponse } from './honest-client';

/** A page that shows an account's delegations. */
export function startHonestDelegation(target: Target): HonestClient {
  const http = new HttpClient(target.service('delegation').url, honestAddress);
  const get = (path: string) => ({ name: path, run: async () => judgeResponse(await http.send(path)) });
  const account = accountName(1);
  return {
    operations: [
      get(`/api/deleg/account?account=${account}`),
      get(`/api/deleg/in?account=${account}`),
      get(`/api/deleg/out?account=${account}`),
      get(`/api/deleg/history/in?account=${account}`),
    ],
    perSecond: 15,
    close: () => http.close(),
  };
}
