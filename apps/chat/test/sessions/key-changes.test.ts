import { loginSession, type LoginSession } from '@waggle/contracts';
import { devnetKeys } from '@waggle/devnet';
import { Client } from 'pg';
import { z } from 'zod';
import { bearer, errorOf, jsonOf } from '../support/chat-client';
import { ChatUnderTest, type ConfigChanges } from '../support/chat-under-test';
import { row } from '../support/interface-rows';
import { loginPath } from '../support/login-path';

let chat: ChatUnderTest;
let database: Client;

/** Nothing is cached of the chain; a key is checked again after five minutes, and may go unconfirmed for an hour. */
const settings: ConfigChanges = {
  hive: { authorityCacheMs: 1 },
  keyChecks: { confirmationMs: 300_000, graceMs: 3_600_000 },
};

beforeAll(async () => {
  chat = await ChatUnderTest.start(settings);
  database = new Client({ connectionString: chat.database.url });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await chat.stop();
});

/** As if the keys of the account had last been confirmed this long ago. */
async function lastConfirmed(account: string, minutesAgo: number): Promise<void> {
  await database.query(`UPDATE session SET key_confirmed_at = now() - make_interval(mins => $2) WHERE account = $1`, [
    account,
    minutesAgo,
  ]);
}

const asked = () => chat.devnet.node.calls.get('database_api.find_accounts') ?? 0;
const replaceKey = (account: string, role: 'posting' | 'active' = 'posting') => {
  chat.devnet.changeKey(account, role, devnetKeys(`new-${account}`)[role].publicKey);
};
const logInBy = async (account: string, { wif }: { wif: string }) =>
  jsonOf(await chat.instance.get(loginPath(account, { wif })), loginSession);
const renew = async ({ refresh_token }: LoginSession, path = '/users/refresh-token') =>
  (await chat.instance.get(path, bearer(refresh_token))).status;

describe('the key that logged in', () => {
  row(
    'GET /users/refresh-token',
    'is checked at a renewal after some minutes, and then not at once again',
    async () => {
      const session = await chat.instance.logIn('alice');
      const before = asked();
      await lastConfirmed('alice', 4);
      expect(await renew(session)).toBe(200);
      expect(asked()).toBe(before);
      await lastConfirmed('alice', 6);
      expect([await renew(session), await renew(session)]).toEqual([200, 200]);
      expect(asked()).toBe(before + 1);
    },
  );

  it.each(['/users/refresh-token', '/users/verify'])(
    'ends the session at GET %s if it was replaced, with its sockets at every instance, and no other session',
    async (path) => {
      const account = `replaced-${path.length}`;
      chat.devnet.createAccount(account);
      const elsewhere = await chat.addInstance(settings);
      const { session, socket } = await chat.instance.join(account);
      const remote = await elsewhere.connect(session.ws_token);
      replaceKey(account);
      const newer = await logInBy(account, devnetKeys(`new-${account}`).posting);
      // Until the next check.
      expect(await renew(session, path)).toBe(200);

      await lastConfirmed(account, 6);
      const response = await chat.instance.get(path, bearer(session.refresh_token));
      expect(await errorOf(response)).toMatchObject({ statusCode: 401, code: 'unauthenticated' });
      expect([(await socket.closed).code, (await remote.closed).code]).toEqual([4020, 4020]);
      expect((await chat.instance.get('/messages/new', bearer(session.token))).status).toBe(401);
      expect((await chat.instance.get('/messages/new', bearer(newer.token))).status).toBe(200);
    },
  );

  row('frame authenticate', 'is checked when an empty `authenticate` extends a connection', async () => {
    const { socket } = await chat.instance.join('bob');
    await lastConfirmed('bob', 6);
    const before = asked();
    expect(await socket.request('authenticate', {}, 'status')).toEqual({ authenticated: true });
    expect(asked()).toBe(before + 1);
    replaceKey('bob');
    expect(await socket.request('authenticate', {}, 'status')).toEqual({ authenticated: true });
    await lastConfirmed('bob', 6);
    socket.send('authenticate');
    expect((await socket.closed).code).toBe(4020);
  });

  it('can be the active key, regardless of the posting key', async () => {
    const session = await logInBy('carol', devnetKeys('carol').active);
    replaceKey('carol');
    await lastConfirmed('carol', 6);
    expect(await renew(session)).toBe(200);
    replaceKey('carol', 'active');
    await lastConfirmed('carol', 6);
    expect(await renew(session)).toBe(401);
  });

  it('is counted by result', async () => {
    const metrics = await (await chat.instance.get('/metrics')).text();
    for (const result of ['suffices', 'changed']) {
      expect(metrics).toMatch(new RegExp(`^chat_key_checks_total\\{result="${result}"\\} [1-9]`, 'm'));
    }
  });
});

describe('while no node responds', () => {
  afterEach(() => chat.devnet.node.revive());

  it('a session is renewed within the grace time, and rejected beyond it without being ended', async () => {
    // A separate instance, since one without a response does not retry at once.
    const instance = await chat.addInstance(settings);
    const { session, socket } = await instance.join('erin');
    const renewal = () => instance.get('/users/refresh-token', bearer(session.refresh_token));
    await chat.devnet.node.kill();
    await lastConfirmed('erin', 64);
    expect((await renewal()).status).toBe(200);
    await lastConfirmed('erin', 66);
    const response = await renewal();
    expect(response.headers.get('Retry-After')).toBe('5');
    expect(await errorOf(response)).toMatchObject({ statusCode: 503, code: 'unavailable' });
    expect(await socket.requestError('authenticate', {})).toMatchObject({ code: 'unavailable', retry_after_ms: 5_000 });
    expect((await instance.get('/messages/new', bearer(session.token))).status).toBe(200);

    await chat.devnet.node.revive();
    const later = await chat.addInstance(settings);
    expect((await later.get('/users/refresh-token', bearer(session.refresh_token))).status).toBe(200);
  });
});

it('a token is not valid for the session of another account', async () => {
  const { token, refresh_token, ws_token } = await chat.instance.logIn('frank');
  const [, payload = ''] = token.split('.');
  const { sid } = z.object({ sid: z.string() }).parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  await database.query(`UPDATE session SET account = 'grace' WHERE id = $1`, [sid]);
  expect((await chat.instance.get('/messages/new', bearer(token))).status).toBe(401);
  expect((await chat.instance.get('/users/refresh-token', bearer(refresh_token))).status).toBe(401);
  await expect(chat.instance.connect(ws_token)).rejects.toThrow('not authenticated');
});
