import { type Chat, type Message, Session } from '@waggle/client';
import { TcpProxy, until } from '@waggle/testing';
import { ChatUnderTest } from '../support/chat-under-test';
import { Clients, received, receivedTexts, logInAs, next, rejectionOf } from './clients';

let chat: ChatUnderTest;
let proxy: TcpProxy;
const clients = new Clients();
let bob: Chat;

beforeAll(async () => {
  chat = await ChatUnderTest.start();
});
beforeEach(async () => {
  proxy = await TcpProxy.toUrl(chat.instance.url);
  bob = await clients.connect('bob', chat.instance.url);
});
afterEach(async () => {
  await clients.close();
  await proxy.stop();
});
afterAll(() => chat.stop());

/** A session during whose fetches something happens: before conversations are read, and after. */
class Interrupted extends Session {
  private readonly onTheirWay = new Set<Promise<unknown>>();

  constructor(
    session: Session,
    private readonly interruption: { before(): Promise<unknown>; after(): Promise<unknown> },
  ) {
    super({ url: session.url, tokens: session.tokens });
  }

  override requestPage(path: string): ReturnType<Session['requestPage']> {
    const request = path.startsWith('/messages/conversations') ? this.interrupted(path) : super.requestPage(path);
    this.onTheirWay.add(request);
    return request;
  }

  private async interrupted(path: string): ReturnType<Session['requestPage']> {
    // Concurrent requests get their responses first.
    await new Promise(setImmediate);
    await Promise.all(this.others());
    await this.interruption.before();
    const response = await super.requestPage(path);
    await this.interruption.after();
    return response;
  }

  private others(): Promise<unknown>[] {
    return [...this.onTheirWay].slice(1);
  }
}

it('has each message that arrives during fetchState once: in the state, or as an event', async () => {
  const { conversation_id: id } = await bob.sendTo('alice', 'begin');
  const session = new Interrupted(await logInAs('alice', chat.instance.url), {
    before: () => bob.send(id, 'before'),
    after: () => bob.send(id, 'after'),
  });
  const alice = await clients.connect('alice', chat.instance.url, { session });
  const texts = receivedTexts(alice);
  const { unread } = await alice.fetchState();
  const fetched = unread.map(({ content }) => content);
  await bob.send(id, 'the last one');
  await until(() => texts.includes('the last one'));
  expect([fetched.at(-1), texts]).toEqual(['before', ['after', 'the last one']]);
});

it('includes followed channels in the fetched state, and emits their events once', async () => {
  const channel = await bob.api.createChannel('news');
  const alice = await clients.connect('alice', chat.instance.url);
  await alice.api.conversation(channel.id);
  const texts = receivedTexts(alice);
  const { followed } = await alice.holdEvents(async () => {
    await bob.send(channel.id, 'while it was fetched');
    // The reply comes on the connection that received the message before.
    await alice.acknowledge(channel.id);
    return alice.fetchState({ followed: [channel.id, 'unknown'] });
  });
  expect(followed).toMatchObject([{ id: channel.id, last_message: { content: 'while it was fetched' } }]);
  await bob.send(channel.id, 'after it');
  await until(() => texts.length > 0);
  expect(texts).toEqual(['after it']);
});

it('emits no events up to the position given to know', async () => {
  const alice = await clients.connect('alice', chat.instance.url);
  const { conversation_id: id } = await bob.sendTo('alice', 'begin');
  await until(() => alice.state === 'connected');
  const texts: string[] = [];
  const shown: string[] = [];
  alice.on('chat-message', ({ content }: Message) => texts.push(content));
  await alice.holdEvents(async () => {
    await bob.send(id, 'one');
    await alice.acknowledge(id);
    const { last_seq: seq } = await alice.api.conversation(id, { extended: true });
    for (const message of (await alice.api.historyPage(id, { extended: true })).messages)
      if (message.seq <= seq) shown.push(message.content);
    alice.skipTo({ stream: id, seq });
    await bob.send(id, 'two');
    await alice.acknowledge(id);
  });
  await until(() => texts.includes('two'));
  expect(shown.at(-1)).toBe('one');
  expect(texts.filter((text) => text !== 'begin')).toEqual(['two']);
});

it('retries a fetch until the service responds, at once on retryNow', async () => {
  const alice = await clients.connect('alice', proxy.url, { backoff: { firstMs: 1e9, maxMs: 1e9 } });
  let attempts = 0;
  const fetch = () => {
    attempts += 1;
    return alice.fetchState();
  };
  const gone = next(alice, 'disconnected');
  proxy.refuse();
  proxy.cut();
  await gone;
  const fetched = alice.retryWhileUnreachable(fetch);
  const again = setInterval(() => {
    alice.retryNow();
  }, 20);
  await until(() => attempts >= 3);
  proxy.restore();
  expect(await fetched).toMatchObject({ settings: { dm: { only_from_friends: false } } });
  clearInterval(again);
});

it('retries no fetch after a permanent error, or after it is closed', async () => {
  const alice = await clients.connect('alice', proxy.url, { backoff: { firstMs: 1e9, maxMs: 1e9 } });
  const ended = received(alice, 'ended');
  expect(await rejectionOf(alice.retryWhileUnreachable(() => alice.api.conversation('unknown')))).toMatchObject({
    code: 'not-found',
  });
  proxy.refuse();
  proxy.cut();
  const waiting = rejectionOf(alice.retryWhileUnreachable(() => alice.fetchState()));
  await next(alice, 'disconnected');
  await alice.close();
  expect(await waiting).toMatchObject({ name: 'EndedError', reason: 'closed' });
  expect(ended).toMatchObject([{ reason: 'closed' }]);
});
