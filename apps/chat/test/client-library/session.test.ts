import { restoreSession, Session, type Chat, type SessionTokens } from '@waggle/client';
import { devnetKeys } from '@waggle/devnet';
import { TcpProxy, until } from '@waggle/testing';
import { ChatUnderTest, type ConfigChanges } from '../support/chat-under-test';
import { sign } from '../support/login-path';
import { Clients, received, logInAs, next, rejectionOf } from './clients';

const clients = new Clients();
/** The chat with the usual configuration. */
let usual: ChatUnderTest;
/** The chat with another configuration, of one test. */
let changed: ChatUnderTest | undefined;
let proxy: TcpProxy | undefined;

beforeAll(async () => {
  usual = await ChatUnderTest.start();
});
afterEach(async () => {
  await clients.close();
  await proxy?.stop();
  await changed?.stop();
  proxy = undefined;
  changed = undefined;
});
afterAll(() => usual.stop());

async function startWith(changes: ConfigChanges): Promise<ChatUnderTest> {
  changed = await ChatUnderTest.start(changes);
  return changed;
}

it('rejects a log-in with the code of the service', async () => {
  const { instance } = usual;
  const wrongKey = (text: string) => sign(text, devnetKeys('bob').posting.wif);
  expect(await rejectionOf(logInAs('alice', instance.url, { sign: wrongKey }))).toMatchObject({
    name: 'RejectedError',
    code: 'invalid-signature',
    status: 401,
  });
  expect(await rejectionOf(logInAs('alice', instance.url, { sign: () => 'nonsense' }))).toMatchObject({
    code: 'invalid-signature',
  });
  const cancelled = new Error('the user says no');
  expect(await rejectionOf(logInAs('alice', instance.url, { sign: () => Promise.reject(cancelled) }))).toBe(cancelled);
});

it('reports when to retry a rate-limited log-in', async () => {
  const { instance } = await startWith({ rateLimits: { accountLogins: 1 } });
  await logInAs('alice', instance.url);
  expect(await rejectionOf(logInAs('alice', instance.url))).toMatchObject({
    code: 'rate-limited',
    status: 429,
    retryAfterMs: expect.any(Number),
  });
});

it('rejects if the service is unreachable', async () => {
  const { instance } = usual;
  proxy = await TcpProxy.toUrl(instance.url);
  proxy.refuse();
  expect(await rejectionOf(logInAs('alice', proxy.url))).toMatchObject({ name: 'UnreachableError' });
  proxy.restore();
  proxy.stall();
  expect(await rejectionOf(logInAs('alice', proxy.url, { requestTimeoutMs: 100 }))).toMatchObject({
    name: 'UnreachableError',
  });
});

it('continues from saved tokens, and reports renewed ones', async () => {
  const { instance } = usual;
  // An account that no other test uses, since it has no conversations.
  const { tokens } = await logInAs('erin', instance.url);
  const saved: SessionTokens[] = [];
  const restored = new Session({
    url: `${instance.url}/`,
    tokens: { ...tokens, accessToken: 'forgotten', webSocketToken: 'forgotten' },
    onRenewed: (renewed) => saved.push(renewed),
  });
  const erin = await clients.connect('erin', instance.url, { session: restored });
  expect(await erin.api.conversations()).toEqual([]);
  expect(saved.length).toBeGreaterThan(0);
  expect(saved.at(-1)).toEqual(restored.tokens);
  expect(restored.tokens).toMatchObject({ account: 'erin', refreshToken: tokens.refreshToken });
});

it('restores no session without session cookies', async () => {
  const { instance } = usual;
  expect(await restoreSession({ url: instance.url })).toBeUndefined();
});

it('stays connected and sends requests with access tokens that expire within seconds', async () => {
  const { instance } = await startWith({ tokens: { accessMs: 3_000 }, realtime: { reauthenticationNoticeMs: 2_700 } });
  const renewals: SessionTokens[] = [];
  const alice = await clients.connect('alice', instance.url, { onRenewed: (tokens) => renewals.push(tokens) });
  const lost = received(alice, 'disconnected');
  await until(() => renewals.length >= 4);
  expect(await alice.api.conversations()).toEqual([]);
  expect(await alice.sendTo('bob', 'still here')).toMatchObject({ content: 'still here' });
  expect(lost).toEqual([]);
});

it('renews expired tokens before it connects again', async () => {
  const { instance } = await startWith({ tokens: { accessMs: 2_000 }, realtime: { reauthenticationNoticeMs: 100 } });
  proxy = await TcpProxy.toUrl(instance.url);
  const renewals: SessionTokens[] = [];
  const alice = await clients.connect('alice', proxy.url, { onRenewed: (tokens) => renewals.push(tokens) });
  proxy.refuse();
  proxy.cut();
  await until(() => alice.session.needsRenewal);
  const before = renewals.length;
  const back = next(alice, 'connected');
  proxy.restore();
  await back;
  expect(renewals.length).toBeGreaterThan(before);
});

it('ends for good when its session is revoked', async () => {
  const { instance } = usual;
  // An account that no other test uses, since it has no further sessions.
  const frank = await clients.connect('frank', instance.url);
  const other = await logInAs('frank', instance.url);
  const others = await clients.create('frank', instance.url, { session: other });
  const waiting = received(frank, 'disconnected');
  const ended = next(frank, 'ended');
  const [session] = (await others.api.sessions()).filter(({ current }) => !current);
  await others.api.revokeSession(session?.id ?? '');
  expect(await ended).toMatchObject({ reason: 'session-revoked' });
  expect(frank.state).toBe('ended');
  expect(waiting).toEqual([]);
  expect(await rejectionOf(frank.sendTo('bob', 'hello'))).toMatchObject({ reason: 'session-revoked' });
});

it('ends for good if its log-in is rejected when it reconnects', async () => {
  const { instance } = usual;
  proxy = await TcpProxy.toUrl(instance.url);
  const alice = await clients.connect('alice', proxy.url);
  const ended = next(alice, 'ended');
  proxy.refuse();
  proxy.cut();
  // While it is away its session ends.
  await new Session({ url: instance.url, tokens: alice.session.tokens }).logOut();
  proxy.restore();
  expect(await ended).toMatchObject({ reason: 'log-in-rejected', cause: { status: 401 } });
  await alice.close();
});

it('ends at once with invalid tokens', async () => {
  const { instance } = usual;
  const { tokens } = await logInAs('alice', instance.url);
  const lost: SessionTokens = { ...tokens, accessToken: 'x', webSocketToken: 'x', refreshToken: 'x' };
  const session = new Session({ url: instance.url, tokens: lost });
  const alice = await clients.create('alice', instance.url, { session });
  expect(await rejectionOf(alice.connect())).toMatchObject({ name: 'EndedError', reason: 'log-in-rejected' });
  expect(await rejectionOf(alice.api.friends())).toMatchObject({ code: 'unauthenticated', status: 401 });
});

it('ends at once if no WebSocket can be created', async () => {
  const { tokens } = await logInAs('alice', usual.instance.url);
  const url = 'http://127.0.0.1:99999';
  const alice = await clients.create('alice', url, { session: new Session({ url, tokens }) });
  expect(await rejectionOf(alice.connect())).toMatchObject({
    name: 'EndedError',
    reason: 'no-websocket',
    cause: { message: expect.stringContaining('Invalid URL') },
  });
});

it('logs in again with logsInAgain', async () => {
  const { instance } = usual;
  proxy = await TcpProxy.toUrl(instance.url);
  const alice: Chat = await clients.connect('alice', proxy.url, { logsInAgain: true });
  const back = next(alice, 'connected');
  proxy.refuse();
  proxy.cut();
  const first = alice.session.tokens;
  await new Session({ url: instance.url, tokens: first }).logOut();
  proxy.restore();
  await back;
  expect(alice.session.tokens.refreshToken).not.toBe(first.refreshToken);
  expect(await alice.sendTo('bob', 'again')).toMatchObject({ from: 'alice' });
});

it('logs out', async () => {
  const { instance } = usual;
  const alice = await clients.connect('alice', instance.url);
  await alice.logOut();
  expect(alice.state).toBe('ended');
  expect(await rejectionOf(alice.api.friends())).toMatchObject({ code: 'unauthenticated' });
});

it('erases an account, which ends its sessions', async () => {
  const { instance } = usual;
  const ivan = await clients.connect('ivan', instance.url);
  const signAs = (account: string) => (text: string) => sign(text, devnetKeys(account).posting.wif);
  expect(await rejectionOf(ivan.api.eraseAccount(signAs('judy')))).toMatchObject({ code: 'invalid-signature' });
  const ended = next(ivan, 'ended');
  expect(await ivan.api.eraseAccount(signAs('ivan'))).toEqual({ requested_at: expect.any(String) });
  expect(await ended).toMatchObject({ reason: 'session-revoked' });
  expect(await rejectionOf(logInAs('ivan', instance.url))).toMatchObject({
    code: 'being-erased',
    status: 409,
    retryAfterMs: 30_000,
  });
});
