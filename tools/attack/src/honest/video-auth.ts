import { honestAddress } from '../traffic/addresses';
import { failureOf, HttpClient } from '../traffic/http-client';
import { type Target } from '../target/target';
import { type HonestClient } from './honest-client';

/** Starts the client of a video backend that checks a user's token and shows the user's sessions. */
export async function startHonestVideoAuth(target: Target): Promise<HonestClient> {
  const http = new HttpClient(target.service('video-auth').url, honestAddress);
  const headers = { authorization: `Bearer ${await target.logInToVideo(target.newAccount())}` };
  const send = (method: 'GET' | 'POST', path: string) => ({
    name: path,
    run: async () => failureOf(await http.send(path, { method, headers })),
  });
  const check = send('POST', '/api/v1/auth/check');
  return {
    operations: [check, send('GET', '/api/v1/auth/sessions'), check, send('GET', '/.well-known/jwks.json')],
    perSecond: 36,
    close: () => http.close(),
  };
}
