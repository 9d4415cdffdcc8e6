import { poolOf } from '@waggle/service';
import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { DataSource } from 'typeorm';
import { Delivery } from '../../src/delivery/delivery';
import { type ChatUser } from '../support/chat-client';
import { type ChatSocket } from '../support/chat-socket';
import { ChatUnderTest, type ChatInstance } from '../support/chat-under-test';
import { Clients, received, receivedTexts, next } from '../client-library/clients';
import { ReplicatedDatabase } from './replicated-database';

/** Each test starts servers of its own and waits for a promotion. */
let database: ReplicatedDatabase;
let chat: ChatUnderTest;
let here: ChatInstance;
let there: ChatInstance;
const clients = new Clients();

const start = async (replication: 'synchronous' | 'asynchronous') => {
  database = await ReplicatedDatabase.start(replication);
  chat = await ChatUnderTest.startWithRedis({}, undefined, database);
  [here, there] = [chat.instance, await chat.addInstance()];
};
afterEach(async () => {
  await clients.close();
  await chat.stop();
});

/** A connection with `sync`, and its last cursor. */
const synced = async (instance: ChatInstance, user: ChatUser, resume?: string) => {
  const socket = await instance.openSocket();
  socket.send('authenticate', { token: user.session.token, capabilities: ['sync'], resume });
  const { payload } = await socket.next('status');
  return { socket, cursor: payload.cursor ?? '' };
};

/**
 * How a resume ends. If the instance notices the failover meanwhile, it closes the connection, and the client
 * reconnects.
 */
const resumeOutcome = async (instance: ChatInstance, user: ChatUser, since: string | undefined) => {
  for (;;) {
    const outcome = synced(instance, user, since).then(({ socket }) =>
      socket.nextMatching(({ type }) => type === 'resume-failed' || type === 'resume-complete'),
    );
    const frame = await outcome.catch(() => undefined);
    if (frame !== undefined) return frame;
  }
};

const textsOf = async (user: ChatUser, id: string) => (await user.wholeHistory(id)).map(({ content }) => content);

/** Writes as soon as the database is back. @returns the connection */
const retrySay = async (user: ChatUser, instance: ChatInstance, id: string, text: string): Promise<ChatSocket> => {
  for (;;) {
    const socket = await instance.openSocket();
    socket.send('authenticate', { token: user.session.token });
    await socket.next('status');
    const said = socket.request('chat-message', { conversation_id: id, message: text }, 'chat-message');
    if (await said.then(Boolean, () => false)) return socket;
  }
};

describe('after a failover to a standby that lacks commits', () => {
  beforeEach(() => start('asynchronous'));

  it('the new database is used after all connections are closed, and clients of every instance emit state-lost and then receive new messages', async () => {
    const [alice, bob] = [await clients.connect('alice', here.url), await clients.connect('bob', there.url)];
    const { id: group } = (await alice.createGroup(['bob', 'carol'], 'first')).conversation;
    await alice.send(group, 'kept');
    const texts = [receivedTexts(alice), receivedTexts(bob)];
    const closings = [received(alice, 'disconnected'), received(bob, 'disconnected')];
    const lost = [alice, bob].map(async (client) => {
      const { reason } = await next(client, 'state-lost');
      const { conversations } = await client.retryWhileUnreachable(() => client.fetchState());
      return [reason, conversations.find(({ id }) => id === group)?.last_seq];
    });

    await database.stopReplication();
    for (const text of ['lost 1', 'lost 2', 'lost 3']) await alice.send(group, text);
    await until(() => texts.every((each) => each.includes('lost 3')));
    let isClosed = false;
    here.provided(Delivery).once('restarted', () => (isClosed = true));
    const pool = poolOf(here.provided(DataSource));
    await database.failOver();
    const isUsable = () => pool.query('SELECT 1').then(Boolean, () => false);
    await until(isUsable);
    expect(isClosed).toBe(true);
    const [[reason, lastSeq] = [], ofBob] = await Promise.all(lost);
    expect(reason).toBe('invalid');
    expect(ofBob).toEqual([reason, lastSeq]);
    expect(closings).toEqual([[expect.objectContaining({ code: 1013 })], [expect.objectContaining({ code: 1013 })]]);

    const [after, afterToo] = [await alice.send(group, 'after'), await bob.send(group, 'after too')];
    expect([after.seq, afterToo.seq]).toEqual([Number(lastSeq) + 1, Number(lastSeq) + 2]);
    await until(() => texts.every((each) => each.at(-1) === 'after too'));
    for (const each of texts) expect(each.slice(-2)).toEqual(['after', 'after too']);
  });

  // Another failover, which takes five seconds.
  longTest('every connection is closed, also while requests use all connections to the database', async () => {
    const alice = await here.join('alice');
    const pool = poolOf(here.provided(DataSource));
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    try {
      await database.failOver();
      await alice.socket.closed;
    } finally {
      for (const client of held) client.release(true);
    }
  });

  it('old cursors are rejected, a lost membership is gone, and an account removed with a reassigned sequence number cannot write', async () => {
    const [alice, bob, carol] = [await here.join('alice'), await there.join('bob'), await there.join('carol')];
    const { id } = await alice.open(['bob', 'dave']);
    await bob.say(id, 'may write');
    const { socket, cursor } = await synced(here, bob);
    await database.stopReplication();
    for (const text of ['lost 1', 'lost 2', 'lost 3']) await alice.say(id, text);
    await alice.socket.request('add-member', { conversation_id: id, username: 'carol' }, 'member-added');
    // The permission of bob is cached as of this sequence number, which is greater than those reassigned below.
    await bob.say(id, 'lost 4');
    await carol.socket.next('chat-message', ({ content }) => content === 'lost 4');
    const delivered = await socket.next('chat-message', ({ content }) => content === 'lost 4');
    await socket.close();
    await database.failOver();
    // Also before an instance notices the failover, and at one that started after it.
    for (const [instance, since] of [
      [here, cursor],
      [there, delivered.cursor],
      [await chat.addInstance(), delivered.cursor],
    ] as const)
      expect(await resumeOutcome(instance, bob, since)).toMatchObject({
        type: 'resume-failed',
        payload: { reason: 'invalid' },
      });
    await Promise.all([alice, bob, carol].map(({ socket }) => socket.closed));

    const back = await retrySay(alice, here, id, 'after');
    await back.request('remove-member', { conversation_id: id, username: 'bob' }, 'member-removed');
    const [bobAgain, carolAgain] = [await bob.connect(), await carol.connect()];
    expect((await bobAgain.requestError('chat-message', { conversation_id: id, message: 'x' })).code).toBe('not-found');
    await back.request('chat-message', { conversation_id: id, message: 'after too' }, 'chat-message');
    expect((await carolAgain.requestError('acknowledgment', { conversation_id: id })).code).toBe('not-found');
    expect(carolAgain.received('chat-message')).toEqual([]);
    expect(await textsOf(alice, id)).toEqual(['hello', 'may write', 'after', 'after too']);
  });
});

describe('after a failover to a standby that has all commits', () => {
  beforeEach(() => start('synchronous'));

  it('connections stay open, and all messages are stored and delivered once and in order', async () => {
    const [alice, bob] = [await clients.connect('alice', here.url), await clients.connect('bob', there.url)];
    const { id: group } = (await alice.createGroup(['bob', 'carol'], 'first')).conversation;
    const closings = [received(alice, 'disconnected'), received(bob, 'disconnected')];
    const texts = receivedTexts(bob);
    const sent = Array.from({ length: 40 }, (_, i) => String(i));
    const acknowledged = (async () => {
      for (const text of sent) await alice.send(group, text);
    })();
    await until(() => texts.length > 5);
    await database.failOver();
    await acknowledged;
    await until(() => texts.includes('39'));
    expect(texts.filter((text) => text !== 'first')).toEqual(sent);
    expect(closings).toEqual([[], []]);
  });
});
