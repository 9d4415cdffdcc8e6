import { connect } from 'node:net';
import { friendsList } from '@waggle/contracts';
import { ListReads } from '@waggle/service';
import { until } from '@waggle/testing';
import { Client } from 'pg';
import { MessageLists } from '../../src/messages/message-lists';
import { bearer, type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';

describe('lists of one account that are read at once', () => {
  let chat: ChatUnderTest;
  let database: Client;
  let alice: ChatUser;
  let bob: ChatUser;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    database = new Client({ connectionString: chat.database.url });
    await database.connect();
    [alice, bob] = [await chat.instance.join('alice'), await chat.instance.join('bob')];
  });
  afterAll(async () => {
    await database.end();
    await chat.stop();
  });

  const ask = (user: ChatUser, path: string) => chat.instance.get(path, bearer(user.session.token));
  /** Reads whose SQL has the text, and that wait for the lock of a table. */
  const waitingFor = async (sql: string) => {
    // Otherwise a transaction sees the state of its first statement.
    await database.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await database.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ $1`,
      [sql],
    );
    return rows[0]?.waiting ?? 0;
  };
  const waitingReads = () => waitingFor('FROM member mine');
  const lists = [
    '/messages/conversations?extended=true',
    '/messages/new',
    '/messages/conversation?ids=01K0000000000000000000nowhere',
    '/users/channels',
    '/users/friends',
    '/users/friend-requests',
    '/users/sessions',
  ];

  it('allow as many as a page requests when it opens', async () => {
    const responses = await Promise.all([...lists, ...lists].map((path) => ask(alice, path)));
    expect(responses.map(({ status }) => status)).toEqual(Array<number>(14).fill(200));
  });

  it('may be 200 in parallel', async () => {
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, i) => ask(alice, lists[i % lists.length] ?? '')),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('are read one after the other', async () => {
    await database.query('BEGIN; LOCK TABLE member');
    const reads = Array.from({ length: 60 }, (_, i) => ask(alice, lists[i % 2] ?? ''));
    try {
      await until(async () => (await waitingReads()) === 1, { actual: waitingReads });
      // Another account does not wait for it.
      expect(await bob.getJson('/users/friends', friendsList)).toEqual({ friends: [], blocked: [] });
    } finally {
      await database.query('COMMIT');
    }
    const responses = await Promise.all(reads);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    await until(() => chat.instance.provided(ListReads).size === 0);
  });

  it('are authenticated two at once, if they have one token', async () => {
    await database.query('BEGIN; LOCK TABLE session');
    const waiting = () => waitingFor('FROM session');
    const reads = Array.from({ length: 20 }, (_, i) => ask(alice, lists[i % 2] ?? ''));
    try {
      await until(async () => (await waiting()) === 2, { actual: waiting });
    } finally {
      await database.query('COMMIT');
    }
    const responses = await Promise.all(reads);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('release their slots even if they fail', async () => {
    const nowhere = `/messages/members?conversation_id=01K0000000000000000000nowhere`;
    const responses = await Promise.all(Array.from({ length: 12 }, () => ask(alice, nowhere)));
    expect(responses.map(({ status }) => status)).toEqual(Array<number>(12).fill(404));
    expect((await ask(alice, '/messages/new')).status).toBe(200);
    await until(() => chat.instance.provided(ListReads).size === 0);
  });

  it('are not read for a connection that has ended', async () => {
    const listUnread = jest.spyOn(chat.instance.provided(MessageLists), 'listUnread');
    const { port, hostname } = new URL(chat.instance.url);
    const socket = connect(Number(port), hostname);
    const closed = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
    const request = `GET /messages/new HTTP/1.1\r\nHost: chat\r\nAuthorization: Bearer ${alice.session.token}\r\n\r\n`;
    // More than may wait on one connection, which therefore ends.
    socket.write(request.repeat(50));
    await closed;
    expect((await ask(alice, '/messages/new')).status).toBe(200);
    expect(listUnread).toHaveBeenCalledTimes(1);
  });
});
