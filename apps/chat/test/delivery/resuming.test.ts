import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Capability } from '@waggle/contracts';
import { until, withDatabase } from '@waggle/testing';
import { Client } from 'pg';
import { WebSocket } from 'ws';
import { Cursor, parseCursor } from '../../src/delivery/cursor';
import { type ChatUser } from '../support/chat-client';
import { ChatSocket, type AnyServerFrame } from '../support/chat-socket';
import { ChatUnderTest, type ChatInstance } from '../support/chat-under-test';
import { HeldLock } from '../support/held-lock';

describe('a client that resumes', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  let bob: ChatUser;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    [alice, bob] = [await chat.instance.join('alice'), await chat.instance.join('bob')];
  });
  afterAll(() => chat.stop());

  const synced = async (user: ChatUser, resume?: string) => {
    const socket = await chat.instance.openSocket();
    const capabilities: Capability[] = ['sync'];
    socket.send('authenticate', { token: user.session.token, capabilities, resume });
    const { payload } = await socket.next('status');
    return { socket, cursor: payload.cursor };
  };
  /** Disconnects, and returns the cursor. */
  const away = async (user: ChatUser) => {
    const { socket, cursor = '' } = await synced(user);
    await socket.close();
    return cursor;
  };
  const resumed = async (user: ChatUser, cursor: string) => {
    const { socket } = await synced(user, cursor);
    await socket.next('resume-complete');
    return socket;
  };

  it('gets no cursor beyond what was delivered', async () => {
    const { id } = await alice.open('bob');
    const cursor = await away(bob);
    await alice.say(id, 'missed');
    const { socket, cursor: given } = await synced(bob, cursor);
    expect(given).toBeUndefined();
    await socket.next('resume-complete');
    const { frames } = socket;
    const complete = frames.findIndex(({ type }) => type === 'resume-complete');
    const cursors = frames.slice(0, complete).flatMap((frame) => frame.cursor ?? []);
    expect(cursors.length).toBeGreaterThan(0);
    expect(new Set(cursors)).toEqual(new Set([cursor]));
  });

  it('is closed with 1013 if the database does not respond, and receives no later entries', async () => {
    const { id } = await alice.open(['bob', 'carol']);
    const cursor = await away(bob);
    await alice.say(id, 'missed');
    const heldLock = await HeldLock.connect(chat.database);
    await heldLock.acquire({ text: 'LOCK TABLE event IN ACCESS EXCLUSIVE MODE' });
    const { socket } = await synced(bob, cursor);
    await heldLock.waitForWaiting(1);
    await alice.say(id, 'later');
    expect(await socket.closed).toMatchObject({ code: 1013, reason: 'unavailable' });
    await heldLock.release();
    await heldLock.disconnect();
    expect(socket.frames.map(({ type }) => type)).toEqual(['status']);
    const received = (await resumed(bob, cursor)).received('chat-message');
    expect(received.map(({ content }) => content).slice(-2)).toEqual(['missed', 'later']);
  });

  it('receives acknowledgments of other connections after their messages and before later ones', async () => {
    const { id } = await alice.open(['bob', 'carol']);
    const cursor = await away(bob);
    await alice.say(id, 'read');
    await bob.socket.next('chat-message', ({ content }) => content === 'read');
    await bob.socket.request('acknowledgment', { conversation_id: id }, 'acknowledged');
    await alice.say(id, 'unread');
    const socket = await resumed(bob, cursor);
    const ofThis = socket.frames.filter(
      ({ payload }) => 'conversation_id' in payload && payload.conversation_id === id,
    );
    expect(ofThis.map(({ payload, type }) => ('content' in payload ? payload.content : type)).slice(-3)).toEqual([
      'read',
      'acknowledged',
      'unread',
    ]);
  });

  it('receives what it followed before it became a member', async () => {
    const { id } = await alice.createChannel('Bees');
    await bob.conversation(id);
    const cursor = await away(bob);
    await alice.say(id, 'as a follower');
    await bob.say(id, 'by which it joins');
    const received = (await resumed(bob, cursor))
      .received('chat-message')
      .filter((each) => each.conversation_id === id);
    expect(received.map(({ content }) => content)).toEqual(['as a follower', 'by which it joins']);
  });

  it('receives what it followed before it stopped following', async () => {
    const { id } = await alice.createChannel('Bees');
    await bob.conversation(id);
    const cursor = await away(bob);
    await alice.say(id, 'as a follower');
    await bob.socket.request('leave-conversation', { conversation_id: id }, 'conversation-removed');
    await alice.say(id, 'afterwards');
    const received = (await resumed(bob, cursor))
      .received('chat-message')
      .filter((each) => each.conversation_id === id);
    expect(received.map(({ content }) => content)).toEqual(['as a follower']);
  });

  it.each([
    ['and is not a member now', false],
    ['and added again', true],
  ])('receives what was sent while it was a member, if it was removed twice %s', async (_when, rejoins) => {
    const { id } = await alice.open(['bob', 'carol']);
    const cursor = await away(bob);
    const change = { conversation_id: id, username: 'bob' };
    for (const ordinal of ['first', 'second']) {
      await alice.say(id, ordinal);
      await alice.socket.request('remove-member', change, 'member-removed');
      await alice.say(id, `after the ${ordinal} removal`);
      if (ordinal === 'first' || rejoins) await alice.socket.request('add-member', change, 'member-added');
    }
    if (rejoins) await alice.say(id, 'third');
    const { frames } = await resumed(bob, cursor);
    const received = frames.flatMap(({ type, payload }) => {
      if ('content' in payload && payload.conversation_id === id) return payload.content;
      return 'id' in payload && payload.id === id ? type : [];
    });
    const all = ['first', 'conversation-removed', 'conversation-created', 'second', 'conversation-removed'];
    // The cursor may precede the creation.
    expect(received.slice(received.indexOf('first'))).toEqual(
      rejoins ? [...all, 'conversation-created', 'third'] : all,
    );
  });

  it('receives a channel that it follows again after leaving it', async () => {
    const { id } = await alice.createChannel('Bees');
    await bob.say(id, 'by which it joins');
    await bob.socket.request('leave-conversation', { conversation_id: id }, 'conversation-removed');
    await bob.conversation(id);
    const atMs = Date.now();
    let cursor = '';
    await until(async () => {
      cursor = await away(bob);
      return Number(parseCursor(cursor)?.instant) > atMs;
    });
    await alice.say(id, 'missed');
    const received = (await resumed(bob, cursor))
      .received('chat-message')
      .filter((each) => each.conversation_id === id);
    expect(received.map(({ content }) => content)).toEqual(['missed']);
  });

  it('receives only its removal from a channel that it does not follow', async () => {
    const { id } = await alice.createChannel('Bees');
    await bob.socket.request('acknowledgment', { conversation_id: id }, 'acknowledged');
    const cursor = await away(bob);
    await alice.say(id, 'for subscribers');
    await alice.socket.request('remove-member', { conversation_id: id, username: 'bob' }, 'member-removed');
    const { frames } = await resumed(bob, cursor);
    const isOfChannel = ({ payload }: AnyServerFrame) =>
      ('conversation_id' in payload && payload.conversation_id === id) || ('id' in payload && payload.id === id);
    // The cursor may precede the acknowledgment.
    const types = frames.filter(isOfChannel).map(({ type }) => type);
    expect(types.filter((type) => type !== 'acknowledged')).toEqual(['conversation-removed']);
  });

  it('receives what was sent while it followed a channel, if it has stopped twice and is a member now', async () => {
    const { id } = await alice.createChannel('Bees');
    await bob.say(id, 'by which it joins');
    const cursor = await away(bob);
    for (const content of ['as a member', 'as a follower']) {
      await alice.say(id, content);
      await bob.socket.request('leave-conversation', { conversation_id: id }, 'conversation-removed');
      await alice.say(id, 'unseen');
      await bob.conversation(id);
    }
    await alice.say(id, 'as a follower again');
    await bob.say(id, 'as a member again');
    const received = (await resumed(bob, cursor))
      .received('chat-message')
      .filter((each) => each.conversation_id === id);
    // The cursor may precede the first one.
    expect(received.map(({ content }) => content).slice(-4)).toEqual([
      'as a member',
      'as a follower',
      'as a follower again',
      'as a member again',
    ]);
  });

  describe('and misses more than is buffered for a client that does not read', () => {
    /** Nearly as long as a message may be: 11 MB, more than the system takes too. */
    const texts = Array.from({ length: 700 }, (_, n) => `${n} ${'\u{1F41D}'.repeat(3_990)}`);
    let dave: ChatUser;
    let cursor: string;
    beforeAll(async () => {
      dave = await chat.instance.join('dave');
      const { id } = await alice.open('dave');
      cursor = await away(dave);
      // The chat need not deliver them first.
      await withDatabase(chat.database.url, async (database) => {
        await database.query(
          `WITH c AS (
             UPDATE conversation SET last_seq = last_seq + cardinality($2::text[]), last_message_at = now() + interval '5 seconds'
             WHERE id = $1 RETURNING last_seq - cardinality($2::text[]) AS former
           )
           INSERT INTO message (conversation_id, seq, id, sender, recipient, content, sent_at)
           SELECT $1, former + n, $1 || n, 'alice', 'dave', text, now() + n * interval '1 ms'
           FROM c, unnest($2::text[]) WITH ORDINALITY AS given (text, n)`,
          [id, texts],
        );
      });
    });

    /** Sends a resume and reads nothing after the first frame. */
    const connectStalled = async ({ url }: ChatInstance): Promise<WebSocket> => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`);
      await once(socket, 'open');
      const { token } = dave.session;
      const payload = { token, capabilities: ['sync'], resume: cursor };
      socket.send(JSON.stringify({ type: 'authenticate', payload }));
      await once(socket, 'message');
      socket.pause();
      return socket;
    };

    it('receives all of it if it pauses and continues to read', async () => {
      // Another instance, which reads the last sequence number.
      const instance = await chat.addInstance();
      const stalled = await connectStalled(instance);
      // Longer than anything takes that does not wait for this client.
      await pause(500);
      const received: AnyServerFrame[] = [];
      stalled.on('message', (data: Buffer) => received.push(JSON.parse(data.toString()) as AnyServerFrame));
      stalled.resume();
      const isComplete = () => received.some(({ type }) => type === 'resume-complete');
      await until(() => isComplete() || stalled.readyState !== WebSocket.OPEN);
      const contents = received.flatMap(({ type, payload }) => (type === 'chat-message' ? [payload.content] : []));
      expect(contents.slice(-texts.length)).toEqual(texts);
      stalled.terminate();
    });

    it('does not delay the shutdown of an instance', async () => {
      const instance = await chat.addInstance();
      const stalled = await connectStalled(instance);
      // The client of an instance would close these connections with the instance.
      const url = `${instance.url.replace('http', 'ws')}/ws?token=`;
      const others = await Promise.all([bob, alice].map(({ session }) => ChatSocket.open(url + session.ws_token)));
      const startedAtMs = performance.now();
      const stopped = instance.stop();
      for (const other of others) expect(await other.closed).toMatchObject({ code: 1012 });
      expect(performance.now() - startedAtMs).toBeLessThan(9_000);
      stalled.terminate();
      await stopped;
    });
  });

  it('can do so at once if it is connected to an instance that shuts down and waits for the frame of another client', async () => {
    const instance = await chat.addInstance();
    const url = `${instance.url.replace('http', 'ws')}/ws?token=`;
    const { id } = await alice.open('bob');
    const heldLock = await HeldLock.connect(chat.database);
    const busy = await ChatSocket.open(url + alice.session.ws_token);
    busy.send('authenticate');
    await busy.next('status');
    // Of these a batch is closed with that one, and the rest afterwards.
    const others = await Promise.all(Array.from({ length: 250 }, () => ChatSocket.open(url)));
    await heldLock.acquire({ text: 'SELECT FROM conversation WHERE id = $1 FOR UPDATE', values: [id] });
    busy.send('chat-message', { conversation_id: id, message: 'unfinished' });
    await heldLock.waitForWaiting(1);
    const stopped = instance.stop();
    for (const { code } of await Promise.all(others.map(({ closed }) => closed))) expect(code).toBe(1012);
    expect(busy.frames.at(-1)?.type).toBe('status');
    await heldLock.release();
    await heldLock.disconnect();
    expect((await busy.next('chat-message')).payload.content).toBe('unfinished');
    expect(await busy.closed).toMatchObject({ code: 1012 });
    await stopped;
  });

  it('and connected clients receive everything after a database outage longer than the commit log', async () => {
    const { id } = await alice.open('bob');
    const there = await chat.addInstance();
    const far = await there.connect(bob.session.token);
    const database = new Client({ connectionString: chat.database.url });
    await database.connect();
    try {
      // The commit log does not contain it.
      await database.query(`
        CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
        CREATE TRIGGER forget BEFORE INSERT ON commit_log FOR EACH ROW EXECUTE FUNCTION forget();
        DELETE FROM commit_log`);
      await alice.say(id, 'while nobody noted it');
      // As after an hour, until its next poll; a running poll may set the cursor.
      const cursor = there.provided(Cursor);
      await until(() => {
        cursor.advance(new Date(Date.now() - 3_600_000), cursor.timeline);
        return far.received('chat-message').some(({ content }) => content === 'while nobody noted it');
      });
    } finally {
      await database.query('DROP FUNCTION forget CASCADE');
      await database.end();
    }
  });
});
