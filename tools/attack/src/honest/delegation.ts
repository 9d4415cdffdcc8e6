import { benchAccount } from '@waggle/running';
import { honestAddress } from '../traffic/addresses';
import { failureOf, HttpClient } from '../traffic/http-client';
import { type Target } from '../target/target';
import { type HonestClient } from './honest-client';

/** Starts the client of a page that shows an account's delegations. */
export function startHonestDelegation(target: Target): HonestClient {
  const http = new HttpClient(target.service('delegation').url, honestAddress);
  const get = (path: string) => ({ name: path, run: async () => failureOf(await http.send(path)) });
  const account = benchAccount(1);
  return {
    operations: [
      get(`/api/deleg/account?account=${account}`),
      get(`/api/deleg/in?account=${account}`),
      get(`/api/deleg/out?account=${account}`),
      get(`/api/deleg/history/in?account=${account}`),
    ],
    perSecond: 18,
    close: () => http.close(),
  };
}
