import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { logIn } from './log-in';
import type { Session } from './session';

const minuteMs = 60_000;
const lifetimeMs = 15 * minuteMs;
const realNow = Date.now;

let server: Server;
beforeEach(() => {
  jest.restoreAllMocks();
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** The times that `alice` signed, by a right clock. */
let signedAtMs: number[];

/**
 * Logs in with a device whose clock is ahead, and stands still. @param accepts whether the service accepts a proof of
 * this age
 */
async function logInWithClock(
  aheadMs: number,
  accepts = (ageMs: number) => ageMs > -minuteMs && ageMs < 5 * minuteMs,
  headers: Record<string, string> = {},
): Promise<Session> {
  signedAtMs = [];
  server = createServer(({ url = '' }, response) => {
    const ts = Number(new URL(url, 'http://service').searchParams.get('ts'));
    const expires_at = new Date(realNow() + lifetimeMs).toISOString();
    const session = { username: 'alice', admin: false, ws_token: 'w', token: 't', refresh_token: 'r', expires_at };
    const isAccepted = accepts(realNow() - ts);
    const body = isAccepted ? session : { code: 'proof-expired', message: 'ts' };
    response.sendDate = false;
    response.writeHead(isAccepted ? 200 : 401, { Date: new Date(realNow()).toUTCString(), ...headers });
    response.end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = Object.assign({ port: 0 }, server.address());
  jest.spyOn(Date, 'now').mockReturnValue(realNow() + aheadMs);
  const sign = (text: string) => {
    signedAtMs.push(Number(text.replace('alice', '')));
    return 'signature';
  };
  return logIn({ url: `http://127.0.0.1:${port}`, account: 'alice', sign });
}

it.each([
  ['fast', 20 * minuteMs],
  ['slow', -20 * minuteMs],
])('signs once more, with the time of the service, if the clock is %s', async (_what, aheadMs) => {
  const session = await logInWithClock(aheadMs);
  expect(signedAtMs).toHaveLength(2);
  expect(Math.abs((signedAtMs[1] ?? 0) - realNow())).toBeLessThan(10_000);
  // Otherwise log-ins within a second would sign the same time, which is valid once.
  expect(Math.abs(Number(signedAtMs[1]) - Number(signedAtMs[0])) % 1_000).toBe(0);
  // Otherwise it renews the tokens before every request, or too late.
  expect(session.needsRenewal).toBe(false);
  expect(Math.abs((session.tokens.lifetimeMs ?? 0) - lifetimeMs)).toBeLessThan(10_000);
});

it('signs once if the service claims that the clock is wrong by more than a day', async () => {
  const attempt = logInWithClock(25 * 60 * minuteMs);
  await expect(attempt).rejects.toMatchObject({ name: 'RejectedError', code: 'proof-expired' });
  expect(signedAtMs).toHaveLength(1);
});

it('signs once if the clock is right', async () => {
  await logInWithClock(0);
  expect(signedAtMs).toHaveLength(1);
});

it.each([
  ['only twice', 2, {}],
  ['once if it cannot read the time of the service', 1, { Date: 'unknown' }],
])('signs %s', async (_what, times, headers) => {
  const attempt = logInWithClock(0, () => false, headers);
  await expect(attempt).rejects.toMatchObject({ name: 'RejectedError', code: 'proof-expired' });
  expect(signedAtMs).toHaveLength(times);
});
