import { Session, type Chat, type Message, type OutboxStore, type OutgoingMessage } from '@waggle/client';
import { TcpProxy, until } from '@waggle/testing';
import WebSocket from 'ws';
import { ChatUnderTest } from '../support/chat-under-test';
import { Clients, received, receivedTexts, logInAs, next, rejectionOf, watchedSocket } from './clients';

let chat: ChatUnderTest;
let proxy: TcpProxy;
const clients = new Clients();

beforeAll(async () => {
  chat = await ChatUnderTest.start();
});
beforeEach(async () => {
  proxy = await TcpProxy.toUrl(chat.instance.url);
});
afterEach(async () => {
  await clients.close();
  await proxy.stop();
});
afterAll(() => chat.stop());

/** Closes the connection and waits for the next one. */
async function interrupt(client: Chat): Promise<void> {
  const back = next(client, 'connected');
  proxy.cut();
  proxy.restore();
  await back;
}

it('reconnects after each lost connection, and emits events', async () => {
  const alice = await clients.connect('alice', proxy.url);
  const lost = received(alice, 'disconnected');
  await interrupt(alice);
  await interrupt(alice);
  expect(lost).toMatchObject([{ code: 1006 }, { code: 1006 }]);
  expect(await alice.sendTo('bob', 'hello')).toMatchObject({ content: 'hello' });
});

it('retries with growing pauses while there is no response, and at once on retryNow', async () => {
  const backoff = { firstMs: 1, maxMs: 50 };
  const alice = await clients.connect('alice', proxy.url, { backoff });
  const lost = received(alice, 'disconnected');
  proxy.refuse();
  proxy.cut();
  await until(() => lost.length >= 10);
  expect(Math.max(...lost.slice(0, 2).map(({ retryInMs }) => retryInMs))).toBeLessThanOrEqual(2);
  expect(Math.max(...lost.map(({ retryInMs }) => retryInMs))).toBeLessThanOrEqual(50);
  expect(new Set(lost.map(({ retryInMs }) => retryInMs)).size).toBeGreaterThan(5);
  proxy.restore();
  await next(alice, 'connected');

  const patient = await clients.connect('bob', proxy.url, { backoff: { firstMs: 1e9, maxMs: 1e9 } });
  const gone = next(patient, 'disconnected');
  proxy.cut();
  await gone;
  const back = next(patient, 'connected');
  patient.retryNow();
  await back;
});

it('connects to a service that starts later', async () => {
  const alice = await clients.create('alice', proxy.url);
  proxy.refuse();
  const failed = next(alice, 'disconnected');
  const connected = alice.connect();
  const sent = alice.sendTo('bob', 'as soon as it goes');
  await failed;
  expect(alice.state).toBe('connecting');
  proxy.restore();
  await connected;
  expect(await sent).toMatchObject({ content: 'as soon as it goes' });
});

it('detects a dead connection that was not closed', async () => {
  const timeLimits = { silenceMs: 200, probeMs: 200, openMs: 500 };
  const alice = await clients.connect('alice', proxy.url, { timeLimits });
  const lost = next(alice, 'disconnected');
  proxy.stall();
  expect(await lost).toMatchObject({ code: 1006 });
  // New connections are stalled too, and given up.
  expect(await next(alice, 'disconnected')).toMatchObject({ code: 1006 });
  const back = next(alice, 'connected');
  proxy.restore();
  await back;
});

it('keeps an idle connection', async () => {
  const timeLimits = { silenceMs: 50, probeMs: 20_000 };
  const { WebSocket, sent } = watchedSocket();
  const alice = await clients.connect('alice', proxy.url, { timeLimits, WebSocket });
  const lost = received(alice, 'disconnected');
  // The second probe: the first one got a reply.
  await until(() => sent.filter((type) => type === 'authenticate').length >= 3);
  expect(lost).toEqual([]);
  expect(alice.state).toBe('connected');
});

it('emits missed messages once', async () => {
  const alice = await clients.connect('alice', proxy.url);
  const bob = await clients.connect('bob', chat.instance.url);
  const texts = receivedTexts(alice);
  await bob.sendTo('alice', 'before');
  await until(() => texts.length === 1);
  proxy.refuse();
  proxy.cut();
  await next(alice, 'disconnected');
  for (const text of ['one', 'two', 'three']) await bob.sendTo('alice', text);
  const resumed = next(alice, 'resumed');
  proxy.restore();
  await resumed;
  expect(texts).toEqual(['before', 'one', 'two', 'three']);
  await bob.sendTo('alice', 'after');
  await until(() => texts.length === 5);
  expect(texts.at(-1)).toBe('after');
});

it('is connected when all missed events have been emitted', async () => {
  const alice = await clients.connect('alice', proxy.url);
  const bob = await clients.connect('bob', chat.instance.url);
  const { conversation_id: id } = await alice.sendTo('bob', 'begin');
  proxy.refuse();
  proxy.cut();
  await next(alice, 'disconnected');
  const missed = [await bob.send(id, 'one'), await bob.send(id, 'two')].map((message) => message.id);
  const happened: string[] = [];
  // Earlier events may come first.
  alice.on('chat-message', (message) => missed.includes(message.id) && happened.push(message.content));
  alice.on('connected', () => happened.push(alice.state));
  const resumed = next(alice, 'resumed');
  proxy.restore();
  await resumed;
  expect(happened).toEqual(['one', 'two', 'connected']);
});

it('sends a request of a `connected` listener once', async () => {
  const { WebSocket, sent } = watchedSocket();
  const alice = await clients.connect('alice', proxy.url, { WebSocket });
  const { conversation_id: id } = await alice.sendTo('bob', 'begin');
  const asked = new Promise((resolve) =>
    alice.on('resumed', () => {
      resolve(alice.acknowledge(id));
    }),
  );
  const waiting = (async () => {
    await next(alice, 'disconnected');
    return alice.acknowledge(id);
  })();
  await interrupt(alice);
  expect(await Promise.all([asked, waiting])).toEqual([{ conversation_id: id }, { conversation_id: id }]);
  expect(sent.filter((type) => type === 'acknowledgment')).toHaveLength(2);
});

it('stores a message without a reply once, and emits it once', async () => {
  const alice = await clients.connect('alice', proxy.url);
  const { conversation_id: id } = await alice.sendTo('dave', 'begin');
  const texts: string[] = [];
  // Messages that were sent just before alice connected may be delivered when she resumes.
  alice.on('chat-message', ({ conversation_id, content }) => {
    if (conversation_id === id) texts.push(content);
  });
  // The service receives the message, and its reply is lost.
  proxy.pauseReading();
  const sent = alice.send(id, 'is it stored?');
  const reader = await clients.create('alice', chat.instance.url);
  const isStored = async () =>
    (await reader.api.historyPage(id)).messages.some(({ content }) => content === 'is it stored?');
  await until(isStored);
  await interrupt(alice);
  expect(await sent).toMatchObject({ content: 'is it stored?' });
  await alice.send(id, 'the next one');
  expect(texts).toEqual(['is it stored?', 'the next one']);
  expect((await reader.api.historyPage(id)).messages.map(({ content }) => content)).toEqual([
    'begin',
    'is it stored?',
    'the next one',
  ]);
});

it('creates a group once if the reply was lost', async () => {
  const erin = await clients.connect('erin', proxy.url);
  const created = received(erin, 'conversation-created');
  proxy.pauseReading();
  const making = erin.createGroup(['bob', 'carol'], 'only one of us');
  const reader = await clients.create('erin', chat.instance.url);
  const groups = async () => (await reader.api.conversations()).filter(({ type }) => type === 'group');
  await until(async () => (await groups()).length > 0);
  await interrupt(erin);
  const { conversation, message } = await making;
  expect(message).toMatchObject({ conversation_id: conversation.id, content: 'only one of us' });
  expect(await groups()).toMatchObject([{ id: conversation.id }]);
  expect(created).toMatchObject([{ id: conversation.id }]);
});

it('neither loses, duplicates nor reorders messages, wherever connections are cut', async () => {
  const alice = await clients.connect('alice', proxy.url);
  const bob = await clients.connect('bob', proxy.url);
  const { conversation } = await alice.createGroup(['bob'], 'begin');
  const of = (client: Chat) => {
    const texts: string[] = [];
    client.on('chat-message', ({ conversation_id, content }: Message) => {
      if (conversation_id === conversation.id) texts.push(content);
    });
    return texts;
  };
  const [toAlice, toBob] = [of(alice), of(bob)];
  const sent = Array.from({ length: 20 }, (_, i) => `message ${i}`);
  const writing: Promise<Message>[] = [];
  for (const [i, text] of sent.entries()) {
    writing.push((i % 2 === 0 ? alice : bob).send(conversation.id, text));
    if (i % 2 === 0) continue;
    // Anywhere between the first byte of a log-in and the last reply.
    const cutAt = proxy.forwarded + 1 + Math.floor(Math.random() * 12);
    await until(() => proxy.forwarded >= cutAt || alice.outbox.length + bob.outbox.length === 0);
    proxy.cut();
  }
  await Promise.all(writing);
  await until(() => toAlice.length >= sent.length && toBob.length >= sent.length);
  const { messages: history } = await alice.api.historyPage(conversation.id, { pageSize: 200 });
  const stored = history.map(({ content }) => content).filter((text) => text !== 'begin');
  expect([...stored].sort()).toEqual([...sent].sort());
  expect(toAlice.filter((text) => text !== 'begin')).toEqual(stored);
  expect(toBob.filter((text) => text !== 'begin')).toEqual(stored);
  for (const writer of [0, 1]) {
    const own = sent.filter((_, i) => i % 2 === writer);
    expect(stored.filter((text) => own.includes(text))).toEqual(own);
  }
});

it('rejects a request whose reply was lost, and repeats harmless ones', async () => {
  const alice = await clients.connect('alice', proxy.url);
  const { conversation } = await alice.createGroup(['bob'], 'begin');
  proxy.pauseReading();
  const renamed = rejectionOf(alice.rename(conversation.id, 'bees'));
  const acknowledged = alice.acknowledge(conversation.id);
  await interrupt(alice);
  expect(await renamed).toMatchObject({ name: 'ConnectionLostError' });
  expect(await acknowledged).toEqual({ conversation_id: conversation.id });
});

it('holds back an action until there is a connection', async () => {
  const alice = await clients.connect('alice', proxy.url);
  const { conversation } = await alice.createGroup(['bob'], 'begin');
  proxy.refuse();
  proxy.cut();
  await next(alice, 'disconnected');
  const renamed = alice.rename(conversation.id, 'bees');
  proxy.restore();
  expect(await renamed).toEqual({ conversation_id: conversation.id, name: 'bees' });
});

it('emits state-lost if the service cannot resume, and fetches the state without a gap', async () => {
  class Forgetful extends WebSocket {
    override send(data: string): void {
      super.send(data.replace(/"resume":"[^"]*"/, '"resume":"what was it"'));
    }
  }
  const alice = await clients.connect('alice', proxy.url, { WebSocket: Forgetful });
  const bob = await clients.connect('bob', chat.instance.url);
  const { conversation_id: id } = await bob.sendTo('alice', 'before');
  const lost = next(alice, 'state-lost');
  await interrupt(alice);
  expect(await lost).toEqual({ reason: 'invalid' });

  const texts = receivedTexts(alice);
  const state = await alice.holdEvents(async () => {
    await bob.send(id, 'while it was fetched');
    // The reply comes on the connection that received the message before.
    await alice.acknowledge(id);
    return alice.fetchState();
  });
  expect(state.conversations).toContainEqual(
    expect.objectContaining({ id, last_message: expect.objectContaining({ content: 'while it was fetched' }) }),
  );
  expect(texts).toEqual([]);
  await bob.send(id, 'after it');
  await until(() => texts.length > 0);
  expect(texts).toEqual(['after it']);
});

it('emits events of a fetch after the code that awaits it has run', async () => {
  const alice = await clients.connect('alice', proxy.url);
  const bob = await clients.connect('bob', chat.instance.url);
  const { conversation_id: id } = await bob.sendTo('alice', 'before');
  await alice.acknowledge(id);
  const texts = receivedTexts(alice);
  await alice.holdEvents(async () => {
    await bob.send(id, 'meanwhile');
    await alice.acknowledge(id);
  });
  expect(texts).toEqual([]);
  await until(() => texts.length > 0);
  expect(texts).toEqual(['meanwhile']);
});

it('stores unsent messages, and sends them in the next run', async () => {
  const saved = new Map<string, OutgoingMessage>();
  const store: OutboxStore = {
    load: () => [...saved.values()],
    put: (message) => saved.set(message.clientId, message),
    remove: (clientId: string) => saved.delete(clientId),
  };
  const first = await clients.create('alice', proxy.url, { outbox: { store } });
  const unsent = ['one', 'two'].map((text) => rejectionOf(first.sendTo('carol', text)));
  await first.close();
  await Promise.all(unsent);
  expect(saved.size).toBe(2);

  const second = await clients.create('alice', proxy.url, { outbox: { store } });
  const sent = received(second, 'sent');
  const third = second.sendTo('carol', 'three');
  await second.connect();
  await third;
  expect(sent.map(({ message }) => message.content)).toEqual(['one', 'two', 'three']);
  expect(saved.size).toBe(0);
});

it('leaves nothing behind when it is closed, whatever its state', async () => {
  // Without idle connections of fetch.
  const { tokens } = await logInAs('alice', chat.instance.url);
  const session = new Session({ url: proxy.url, tokens });
  const silent = await clients.create('alice', proxy.url, { session });
  proxy.stall();
  const connecting = rejectionOf(silent.connect());
  await until(() => proxy.open === 1);
  await silent.close();
  expect(await connecting).toMatchObject({ name: 'EndedError', reason: 'closed' });
  proxy.restore();
  await until(() => proxy.open === 0);

  const alice = await clients.connect('alice', proxy.url, { session });
  expect(proxy.open).toBe(1);
  await alice.close();
  await until(() => proxy.open === 0);

  // Closed while it waits to connect again.
  const waiting = await clients.connect('alice', proxy.url, { session, backoff: { firstMs: 1e9, maxMs: 1e9 } });
  const lost = next(waiting, 'disconnected');
  proxy.cut();
  await lost;
  await waiting.close();
  // Closed while the other side does not read.
  const unheard = await clients.connect('alice', proxy.url, { session });
  proxy.stall();
  await unheard.close();
  expect(unheard.state).toBe('ended');
});

it('waits for the retry delay of the service if there are too many connections', async () => {
  const crowded = await ChatUnderTest.start({ accountLimits: { connections: 1 } });
  const one = await clients.connect('alice', crowded.instance.url);
  const other = await clients.create('alice', crowded.instance.url);
  const waiting = next(other, 'disconnected');
  const connected = other.connect();
  expect((await waiting).retryInMs).toBeGreaterThanOrEqual(9_000);
  await one.close();
  other.retryNow();
  await connected;
  await clients.close();
  await crowded.stop();
});
