import { closeCodes } from '@waggle/contracts';
import { devnetKeys } from '@waggle/devnet';
import { until } from '@waggle/testing';
import { ChatUnderTest } from '../support/chat-under-test';
import { resigned } from '../support/signed-tokens';

const minuteS = 60;
const nowS = () => Math.floor(Date.now() / 1_000);
/** The token as if it was issued at this time. */
const issuedAgo = (token: string, agoS: number) => resigned(token, { iat: nowS() - agoS });

describe('the ws_token', () => {
  let usual: ChatUnderTest;
  /** Authentications end within a second. */
  let brief: ChatUnderTest;
  /** Keys are checked without a grace period. */
  let strict: ChatUnderTest;
  beforeAll(async () => {
    [usual, brief, strict] = await Promise.all([
      ChatUnderTest.start(),
      ChatUnderTest.start({ tokens: { accessMs: 1_000 }, realtime: { reauthenticationNoticeMs: 500 } }),
      ChatUnderTest.start({ hive: { authorityCacheMs: 1 }, keyChecks: { confirmationMs: -1, graceMs: 0 } }),
    ]);
  });
  afterAll(() => Promise.all([usual.stop(), brief.stop(), strict.stop()]));

  const status = async (chat: ChatUnderTest, token: string, headers: Record<string, string> = {}) => {
    const socket = await chat.instance.openSocket({ headers });
    return { ...(await socket.request('authenticate', { token }, 'status')), socket };
  };

  it('of a log-in opens WebSockets for a day, as long as the session lives', async () => {
    const { ws_token, token, refresh_token } = await usual.instance.logIn('alice');
    const [, payload = ''] = ws_token.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      exp: expect.closeTo(nowS() + 24 * 60 * minuteS, -1) as number,
    });
    const old = issuedAgo(ws_token, 23 * 60 * minuteS);
    const { authenticated, socket } = await status(usual, old);
    expect(authenticated).toBe(true);
    await usual.instance.get('/users/logout', { Authorization: token });
    expect((await socket.closed).code).toBe(closeCodes.sessionRevoked);
    const cookies = { Cookie: `access_token=${token}; refresh_token=${refresh_token}` };
    expect((await status(usual, old, cookies)).authenticated).toBe(false);
  });

  it('authenticates a WebSocket for as long as an access token does, and opens the next one', async () => {
    const { ws_token } = await brief.instance.logIn('alice');
    for (let round = 0; round < 2; round += 1) {
      const { authenticated, socket } = await status(brief, ws_token);
      expect(authenticated).toBe(true);
      await socket.next('reauthentication-required');
      expect((await socket.closed).code).toBe(closeCodes.authenticationExpired);
    }
  });

  it('is rejected after the key that logged in changes, if it is older than access tokens can be', async () => {
    const { ws_token } = await strict.instance.logIn('alice');
    const old = issuedAgo(ws_token, 16 * minuteS);
    expect((await status(strict, old)).authenticated).toBe(true);
    strict.devnet.changeKey('alice', 'posting', devnetKeys('new-alice').posting.publicKey);
    await until(async () => !(await status(strict, old)).authenticated);
    expect((await status(strict, ws_token)).authenticated).toBe(false);
  });

  describe('that has expired', () => {
    const expired = (token: string) => resigned(token, { exp: nowS() - 1 });

    it('is replaced by a cookie of the same account on the upgrade request', async () => {
      const { token, ws_token, refresh_token } = await usual.instance.logIn('alice');
      for (const shown of [expired(ws_token), expired(token)]) {
        for (const cookie of [`access_token=${token}`, `refresh_token=${refresh_token}`]) {
          expect((await status(usual, shown, { Cookie: cookie })).authenticated).toBe(true);
          expect((await status(usual, shown, { Cookie: cookie, Origin: 'https://app.example' })).authenticated).toBe(
            true,
          );
        }
      }
    });

    it('is not replaced by a cookie of another account, that has expired, or on the page of a stranger', async () => {
      const { token, ws_token, refresh_token } = await usual.instance.logIn('alice');
      const bob = await usual.instance.logIn('bob');
      for (const headers of [
        {},
        { Cookie: `access_token=${bob.token}; refresh_token=${bob.refresh_token}` },
        { Cookie: `access_token=${expired(token)}; refresh_token=${expired(refresh_token)}` },
        { Cookie: `access_token=${token}`, Origin: 'https://stranger.example' },
      ]) {
        const { authenticated, socket } = await status(usual, expired(ws_token), headers);
        expect(authenticated).toBe(false);
        expect((await socket.closed).code).toBe(closeCodes.authenticationFailed);
      }
    });

    it('is replaced for as long as an access token lasts, also by a refresh token', async () => {
      const { ws_token, refresh_token } = await brief.instance.logIn('alice');
      const { socket } = await status(brief, expired(ws_token), { Cookie: `refresh_token=${refresh_token}` });
      expect((await socket.closed).code).toBe(closeCodes.authenticationExpired);
    });
  });
});
