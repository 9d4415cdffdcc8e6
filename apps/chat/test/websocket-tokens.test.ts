import { closeCodes } from '@waggle/contracts';
import { devnetKeys } from '@waggle/devnet';
import { until } from '@waggle/testing';
import { ChatUnderTest, type ConfigChanges } from './chat-under-test';
import { resigned } from './signed-tokens';

const minuteS = 60;
const nowS = () => Math.floor(Date.now() / 1_000);
/** The token as it would be if it had been issued at this time. */
const issuedAgo = (token: string, agoS: number) => resigned(token, { iat: nowS() - agoS });

describe('the ws_token', () => {
  let chat: ChatUnderTest;
  const start = async (changes: ConfigChanges = {}) => {
    chat = await ChatUnderTest.start(changes);
  };
  afterEach(() => chat.stop());

  const status = async (token: string, headers: Record<string, string> = {}) => {
    const socket = await chat.instance.openSocket({ headers });
    return { ...(await socket.request('authenticate', { token }, 'status')), socket };
  };

  it('of a log-in opens WebSockets for a day, as long as the session lives', async () => {
    await start();
    const { ws_token, token, refresh_token } = await chat.instance.logIn('alice');
    const [, payload = ''] = ws_token.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      exp: expect.closeTo(nowS() + 24 * 60 * minuteS, -1) as number,
    });
    const old = issuedAgo(ws_token, 23 * 60 * minuteS);
    const { authenticated, socket } = await status(old);
    expect(authenticated).toBe(true);
    await chat.instance.get('/users/logout', { Authorization: token });
    expect((await socket.closed).code).toBe(closeCodes.sessionRevoked);
    const cookies = { Cookie: `access_token=${token}; refresh_token=${refresh_token}` };
    expect((await status(old, cookies)).authenticated).toBe(false);
  });

  it('authenticates a WebSocket for as long as an access token does, and opens the next one', async () => {
    await start({ tokens: { accessMs: 2_000 }, realtime: { reauthenticationNoticeMs: 1_000 } });
    const { ws_token } = await chat.instance.logIn('alice');
    for (let round = 0; round < 2; round += 1) {
      const { authenticated, socket } = await status(ws_token);
      expect(authenticated).toBe(true);
      await socket.next('reauthentication-required');
      expect((await socket.closed).code).toBe(closeCodes.authenticationExpired);
    }
  });

  it('ends with the key that logged in, once it is older than access tokens get', async () => {
    await start({ hive: { authorityCacheMs: 1 }, keyChecks: { everyMs: -1, graceMs: 0 } });
    const { ws_token } = await chat.instance.logIn('alice');
    const old = issuedAgo(ws_token, 16 * minuteS);
    expect((await status(old)).authenticated).toBe(true);
    chat.devnet.changeKey('alice', 'posting', devnetKeys('new-alice').posting.publicKey);
    await until(async () => !(await status(old)).authenticated);
    expect((await status(ws_token)).authenticated).toBe(false);
  });

  describe('that has expired', () => {
    const expired = (token: string) => resigned(token, { exp: nowS() - 1 });

    it('is replaced by a cookie of the same account on the upgrade request', async () => {
      await start();
      const { token, ws_token, refresh_token } = await chat.instance.logIn('alice');
      for (const shown of [expired(ws_token), expired(token)]) {
        for (const cookie of [`access_token=${token}`, `refresh_token=${refresh_token}`]) {
          expect((await status(shown, { Cookie: cookie })).authenticated).toBe(true);
          expect((await status(shown, { Cookie: cookie, Origin: 'https://app.example' })).authenticated).toBe(true);
        }
      }
    });

    it('is not replaced by a cookie of another account, that has expired, or on the page of a stranger', async () => {
      await start();
      const { token, ws_token, refresh_token } = await chat.instance.logIn('alice');
      const bob = await chat.instance.logIn('bob');
      for (const headers of [
        {},
        { Cookie: `access_token=${bob.token}; refresh_token=${bob.refresh_token}` },
        { Cookie: `access_token=${expired(token)}; refresh_token=${expired(refresh_token)}` },
        { Cookie: `access_token=${token}`, Origin: 'https://stranger.example' },
      ]) {
        const { authenticated, socket } = await status(expired(ws_token), headers);
        expect(authenticated).toBe(false);
        expect((await socket.closed).code).toBe(closeCodes.authenticationFailed);
      }
    });

    it('is replaced for as long as an access token lasts, also by a refresh token', async () => {
      await start({ tokens: { accessMs: 2_000 }, realtime: { reauthenticationNoticeMs: 1_000 } });
      const { ws_token, refresh_token } = await chat.instance.logIn('alice');
      const { socket } = await status(expired(ws_token), { Cookie: `refresh_token=${refresh_token}` });
      expect((await socket.closed).code).toBe(closeCodes.authenticationExpired);
    });
  });
});
