// `RECORD=true npx jest recorded-exchanges` writes recorded-exchanges.json: only for a change that documented clients
// may notice.
import path from 'node:path';
import { videoLogin, videoSession } from '@waggle/contracts';
import { Recording } from '@waggle/testing';
import { z } from 'zod';
import {
  authPath,
  bearer,
  loginBody,
  loginPath,
  loginWith,
  payloadText,
  postingKey,
} from '../support/video-auth-client';
import { VideoAuthUnderTest } from '../support/video-auth-under-test';

let service: VideoAuthUnderTest;
beforeAll(async () => {
  service = await VideoAuthUnderTest.start();
});
afterAll(() => service.stop());

it('documented clients get the recorded responses from the video log-in', async () => {
  const recording = new Recording(service.instance.url);
  const post = (to: string, body?: unknown, headers: Record<string, string> = {}, by?: string) =>
    recording.request({ path: to, method: 'POST', body, headers, ...(by !== undefined && { by }) });
  const logIn = async (account: string, headers: Record<string, string> = {}) =>
    videoLogin.parse(await (await post(loginPath, loginBody(account), headers)).json()).access_token;
  const asPage = { Accept: 'application/json', Origin: 'https://app.example', 'User-Agent': 'a page' };

  const token = await logIn('alice', asPage);
  const second = await logIn('alice', { 'User-Agent': 'a phone' });
  await post(`${authPath}/login/singleton`, loginBody('bob'));
  await post(`${authPath}/login/singleton/hive`, loginBody('bob'));

  const used = loginBody('carol');
  await post(loginPath, used);
  await post(loginPath, used);
  await post(loginPath, loginWith('alice', payloadText('alice'), postingKey('bob')));
  await post(loginPath, loginWith('alice', payloadText('bob')));
  await post(loginPath, loginWith('alice', payloadText('alice', '2020-01-01T00:00:00.000Z')));
  await post(loginPath, loginWith('alice', 'no JSON'));
  await post(loginPath, loginBody('nobody-here', { proof: '00' }));
  await post(loginPath, loginBody('alice', { network: 'steem' }));
  await post(loginPath, loginBody('alice', { authority_type: 'active' }));
  await post(loginPath, {});
  await post(loginPath, '{');
  await post(`${authPath}/challenge`, { username: 'alice' });

  for (const [by, headers] of [
    ['alice', bearer(token)],
    ['nobody', {}],
    ['rubbish', bearer('rubbish')],
  ] as const) {
    await post(`${authPath}/check`, undefined, headers, by);
    await recording.request({ path: `${authPath}/sessions`, headers, by });
  }
  const list = await recording.request({ path: `${authPath}/sessions`, headers: bearer(second), by: 'alice, again' });
  const other = z
    .array(videoSession)
    .parse(await list.json())
    .find(({ current }) => !current);
  const end = (id: string) =>
    recording.request({ path: `${authPath}/sessions/${id}`, method: 'DELETE', headers: bearer(second), by: 'alice' });
  await end(other?.id ?? '');
  await end(other?.id ?? '');
  await post(`${authPath}/check`, undefined, bearer(token), 'alice, first');
  await post(`${authPath}/logout`, undefined, bearer(second), 'alice, again');
  await post(`${authPath}/check`, undefined, bearer(second), 'alice, again');
  await recording.request({ path: `${authPath}/nothing` });

  const { now, recorded } = recording.comparedWith(path.join(__dirname, 'recorded-exchanges.json'));
  expect(now).toEqual(recorded);
});
