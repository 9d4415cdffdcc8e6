import { honestAddress } from '../attacker/addresses';
import { HttpClient } from '../http-client';
import { type Target } from '../target/target';
import { type HonestClient, judgeResponse } from './honest-client';

/** A video backend that checks the token of its user, whose sessions are shown. */
export async function startHonestVideoAuth(target: Target): Promise<HonestClient> {
  const http = new HttpClient(target.service('video-auth').url, honestAddress);
  const headers = { authorization: `Bearer ${await target.logInToVideo(target.newAccount())}` };
  const send = (method: 'GET' | 'POST', path: string) => ({
    name: path,
    run: async () => judgeResponse(await http.send(path, { method, headers })),
  });
  const check = send('POST', '/api/v1/auth/check');
  return {
    operations: [check, send('GET', '/api/v1/auth/sessions'), check, send('GET', '/.well-known/jwks.json')],
    perSecond: 12,
    close: () => http.close(),
  };
}
