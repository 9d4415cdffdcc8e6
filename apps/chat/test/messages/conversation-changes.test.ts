import { conversationChange, maxChangesPage } from '@waggle/contracts';
import { Client } from 'pg';
import { z } from 'zod';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';
import { pagesOf } from '../support/pages';

describe('the changes of a conversation', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  let bob: ChatUser;
  let carol: ChatUser;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    [alice, bob, carol] = await Promise.all([
      chat.instance.join('alice'),
      chat.instance.join('bob'),
      chat.instance.join('carol'),
    ]);
  });
  afterAll(() => chat.stop());

  const path = (id: string, query = '') => `/messages/changes?conversation_id=${id}${query}`;
  const changesOf = (id: string, query = '', user = alice) =>
    user.getJson(path(id, query), z.array(conversationChange));
  const ofMember = (conversation_id: string, username: string) => ({ conversation_id, username });

  row('GET /messages/changes', 'are shown with their authors, in order', async () => {
    const { id } = await alice.open(['bob']);
    await alice.socket.request('add-member', ofMember(id, 'carol'), 'member-added');
    await alice.socket.request('add-moderator', ofMember(id, 'bob'), 'moderator-added');
    await alice.socket.request('rename-conversation', { conversation_id: id, name: 'Bees' }, 'conversation-renamed');
    await bob.socket.request('remove-member', ofMember(id, 'carol'), 'member-removed');
    await alice.socket.request('remove-moderator', ofMember(id, 'bob'), 'moderator-removed');
    await bob.socket.request('leave-conversation', { conversation_id: id }, 'conversation-removed');
    const changes = await changesOf(id);
    expect(changes.map(({ type, by, username, name }) => [type, by, username ?? name])).toEqual([
      ['member-added', 'alice', 'carol'],
      ['moderator-added', 'alice', 'bob'],
      ['conversation-renamed', 'alice', 'Bees'],
      ['member-removed', 'bob', 'carol'],
      ['moderator-removed', 'alice', 'bob'],
      ['member-left', 'bob', 'bob'],
    ]);
    const seqs = changes.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
    const [, second = 0, , fourth = 0] = seqs;
    expect(await changesOf(id, `&after_seq=${second}&until_seq=${fourth}`)).toEqual(changes.slice(2, 4));
    expect(await bob.getError(path(id))).toMatchObject({ statusCode: 404, code: 'not-found' });
  });

  it('have the position, author and time of their frame', async () => {
    const { id } = await alice.open(['bob']);
    const socket = await chat.instance.openSocket();
    socket.send('authenticate', { token: bob.session.ws_token, capabilities: ['sync'] });
    await socket.next('status');
    await alice.socket.request('add-member', ofMember(id, 'carol'), 'member-added');
    await socket.next('member-added');
    const frame = socket.frames.find(({ type }) => type === 'member-added');
    const { seq, by, timestamp } = frame ?? {};
    expect(by).toBe('alice');
    expect(await changesOf(id)).toEqual([{ seq, by, timestamp, type: 'member-added', username: 'carol', name: null }]);
  });

  it('of a channel are visible to anybody, and include those who join by writing', async () => {
    const { id } = await alice.createChannel('Bees');
    expect(await changesOf(id, '', carol)).toEqual([]);
    await bob.say(id, 'hello');
    expect(await changesOf(id, '', carol)).toMatchObject([{ type: 'member-added', by: 'bob', username: 'bob' }]);
  });

  it('of a channel do not show who was removed', async () => {
    const { id } = await alice.createChannel('Bees');
    await bob.say(id, 'hello');
    await alice.socket.request('remove-member', ofMember(id, 'bob'), 'member-removed');
    await alice.socket.request('rename-conversation', { conversation_id: id, name: 'Wasps' }, 'conversation-renamed');
    expect((await changesOf(id, '', carol)).map(({ type }) => type)).toEqual(['member-added', 'conversation-renamed']);
  });

  it('of a dm are none', async () => {
    const { id } = await alice.open('bob');
    expect(await changesOf(id)).toEqual([]);
  });

  it('come in pages', async () => {
    const { id } = await alice.open(['bob']);
    const database = new Client({ connectionString: chat.database.url });
    await database.connect();
    await database.query(
      `INSERT INTO conversation_change (conversation_id, seq, at, type, by, name)
       SELECT $1, 10 + n, now(), 'conversation-renamed', 'alice', n FROM generate_series(1, $2::int) n`,
      [id, maxChangesPage + 1],
    );
    await database.end();
    const pages = await pagesOf(chat.instance, alice, path(id), z.array(conversationChange));
    // The newest first.
    expect(pages.map(({ body }) => [body[0]?.seq, body.at(-1)?.seq])).toEqual([
      [12, maxChangesPage + 11],
      [11, 11],
    ]);
  });
});
