import { ClientIdInUseError, OutboxFullError, RejectedError, type Chat } from '@waggle/client';
import { until } from '@waggle/testing';
import { ChatUnderTest } from '../support/chat-under-test';
import { HeldLock } from '../support/held-lock';
import { Clients, received, receivedTexts, next, rejectionOf } from './clients';

let chat: ChatUnderTest;
const clients = new Clients();
let alice: Chat;
let bob: Chat;

beforeAll(async () => {
  chat = await ChatUnderTest.start({ accountLimits: { frames: { perSecond: 50, burst: 40 } } });
});
beforeEach(async () => {
  alice = await clients.connect('alice', chat.instance.url);
  bob = await clients.connect('bob', chat.instance.url);
});
afterEach(() => clients.close());
afterAll(() => chat.stop());

it('resolves with the stored message, which both accounts receive once', async () => {
  const texts = [receivedTexts(alice), receivedTexts(bob)];
  const stored = await alice.sendTo('bob', 'hello');
  expect(stored).toMatchObject({ from: 'alice', to: 'bob', content: 'hello', read: false });
  await until(() => texts[1]?.length === 1);
  expect(await alice.send(stored.conversation_id, 'again')).toMatchObject({ content: 'again' });
  await until(() => texts.every((each) => each.join() === 'hello,again'));
});

it('resolves with the sequence number', async () => {
  const first = await alice.sendTo('bob', 'one');
  const second = await alice.sendTo('bob', 'two');
  expect(first.seq).toEqual(expect.any(Number));
  expect(second.seq).toBeGreaterThan(first.seq ?? Infinity);
});

it('emits the event before the promise resolves', async () => {
  const texts = receivedTexts(alice);
  await alice.sendTo('bob', 'hello');
  expect(texts).toEqual(['hello']);
});

it('preserves the order of a conversation for any number of messages', async () => {
  const texts = receivedTexts(bob);
  const sent = Array.from({ length: 30 }, (_, i) => `message ${i}`);
  await Promise.all(sent.map((text) => alice.sendTo('bob', text)));
  await until(() => texts.length === sent.length);
  expect(texts).toEqual(sent);
});

it('retries messages that the service rejects as rate-limited', async () => {
  const begun = receivedTexts(bob);
  const { conversation } = await alice.createGroup(['bob'], 'begin');
  const other = await alice.createGroup(['bob'], 'begin');
  await until(() => begun.length === 2);
  const errors = received(alice, 'disconnected');
  const texts = receivedTexts(bob);
  // More than the rate limit, in two queues.
  const sent = Array.from({ length: 60 }, (_, i) => `message ${i}`);
  const results = sent.flatMap((text) => [alice.send(conversation.id, text), alice.send(other.conversation.id, text)]);
  expect(alice.outbox).toHaveLength(120);
  await Promise.all(results);
  await until(() => texts.length === 120);
  expect(texts.filter((_, i) => texts.indexOf(texts[i] ?? '') === i)).toEqual(sent);
  expect(errors).toEqual([]);
  expect(alice.outbox).toEqual([]);
});

it('retries a message after a temporary failure, and keeps later ones behind it', async () => {
  const texts = receivedTexts(bob);
  const { conversation } = await alice.createGroup(['bob'], 'begin');
  const heldLock = await HeldLock.connect(chat.database);
  await heldLock.acquire({ text: 'SELECT FROM conversation WHERE id = $1 FOR UPDATE', values: [conversation.id] });
  const sent = ['one', 'two', 'three'].map((text) => alice.send(conversation.id, text));
  // The service gives up after two seconds; only then can it be repeated.
  await until(() => chat.instance.logLines.some((line) => line.includes('could not be handled')));
  await heldLock.release();
  await heldLock.disconnect();
  await Promise.all(sent);
  await until(() => texts.length === 4);
  expect(texts).toEqual(['begin', 'one', 'two', 'three']);
});

it('creates a group', async () => {
  const { conversation, message } = await alice.createGroup(['bob', 'carol'], 'welcome');
  expect(conversation).toMatchObject({ type: 'group', creator: 'alice', members: ['bob', 'carol', 'alice'] });
  expect(message).toMatchObject({ conversation_id: conversation.id, content: 'welcome', to: null });
});

it('rejects invalid messages at once with the error code of the service', async () => {
  const errors = await Promise.all([
    rejectionOf(alice.sendTo('nosuchaccount', 'hello')),
    rejectionOf(alice.send('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'hello')),
    rejectionOf(alice.sendTo('bob', ' ')),
    rejectionOf(alice.sendTo('bob', 'x'.repeat(4_001))),
    rejectionOf(alice.sendTo('alice', 'to myself')),
  ]);
  for (const error of errors) expect(error).toBeInstanceOf(RejectedError);
  expect(errors).toMatchObject(
    ['account-not-found', 'not-found', 'invalid-frame', 'too-large', 'forbidden'].map((code) => ({ code })),
  );
  // A rejected message does not block later ones.
  expect(await alice.sendTo('bob', 'still here')).toMatchObject({ content: 'still here' });
});

it('rejects a frame that is too large, and recovers if the service has a lower limit', async () => {
  const text = 'x'.repeat(70_000);
  const lost = received(alice, 'disconnected');
  expect(await rejectionOf(alice.sendTo('bob', text))).toMatchObject({ code: 'too-large' });
  expect(lost).toEqual([]);
  const bold = await clients.connect('carol', chat.instance.url, { frameBytes: 1_000_000 });
  const sent = [bold.sendTo('alice', 'small'), bold.sendTo('bob', text), bold.sendTo('bob', 'after it')];
  expect(await rejectionOf(Promise.all(sent))).toMatchObject({ code: 'too-large' });
  await next(bold, 'connected');
  expect(await sent[2]).toMatchObject({ content: 'after it' });
});

it('rejects messages beyond the limit of its outbox', async () => {
  const small = await clients.connect('carol', chat.instance.url, { outbox: { limit: 2 } });
  const sent = ['one', 'two'].map((text) => small.sendTo('bob', text));
  expect(await rejectionOf(small.sendTo('bob', 'three'))).toBeInstanceOf(OutboxFullError);
  await Promise.all(sent);
  expect(await small.sendTo('bob', 'four')).toMatchObject({ content: 'four' });
});

it('emits sent or not-sent with the clientId of the caller', async () => {
  const [sent, notSent] = [received(alice, 'sent'), received(alice, 'not-sent')];
  const going = alice.sendTo('bob', 'hello', { clientId: 'mark-1' });
  expect(alice.outbox).toMatchObject([{ clientId: 'mark-1' }]);
  await going;
  await rejectionOf(alice.sendTo('nosuchaccount', 'hello', { clientId: 'mark-2' }));
  expect(sent).toMatchObject([{ outgoing: { clientId: 'mark-1' }, message: { content: 'hello' } }]);
  expect(notSent).toMatchObject([{ outgoing: { clientId: 'mark-2' }, error: { code: 'account-not-found' } }]);
});

it('sends a message once if it is given twice with the same clientId, and rejects another one with it', async () => {
  const stored = await alice.sendTo('bob', 'begin');
  const id = stored.conversation_id;
  const [sent, texts] = [received(alice, 'sent'), receivedTexts(bob)];
  const first = alice.send(id, 'hello', { clientId: 'mark' });
  const again = alice.send(id, 'hello', { clientId: 'mark' });
  const others = [
    alice.send(id, 'other text', { clientId: 'mark' }),
    alice.sendTo('bob', 'hello', { clientId: 'mark' }),
  ];
  for (const other of others) expect(await rejectionOf(other)).toBeInstanceOf(ClientIdInUseError);
  expect(await again).toEqual(await first);
  await alice.send(id, 'the next one');
  await until(() => texts.at(-1) === 'the next one');
  expect(texts.filter((text) => text === 'hello')).toHaveLength(1);
  expect(sent.map(({ message }) => message.content)).toEqual(['hello', 'the next one']);
});

it('rejects unsent messages when it is closed, and accepts none after that', async () => {
  const idle = await clients.create('carol', chat.instance.url);
  const waiting = rejectionOf(idle.sendTo('bob', 'never'));
  await idle.close();
  expect(await waiting).toMatchObject({ name: 'EndedError', reason: 'closed' });
  expect(await rejectionOf(idle.sendTo('bob', 'never'))).toMatchObject({ name: 'EndedError' });
  expect(await rejectionOf(idle.acknowledge('x'))).toMatchObject({ name: 'EndedError' });
  expect(await rejectionOf(idle.connect())).toMatchObject({ name: 'EndedError' });
});
