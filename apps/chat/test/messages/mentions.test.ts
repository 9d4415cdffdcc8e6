import { extendedConversation, mentioningMessage, unreadCounts, type Capability } from '@waggle/contracts';
import { Client } from 'pg';
import { z } from 'zod';
import { type ChatUser } from '../support/chat-client';
import { type ChatSocket } from '../support/chat-socket';
import { ChatUnderTest } from '../support/chat-under-test';
import { joinThreeUsers } from '../support/three-users';
import { row } from '../support/interface-rows';
import { pagesOf } from '../support/pages';

const rich: readonly Capability[] = ['rich', 'sync', 'read-position'];

describe('a mention', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  let bob: ChatUser;
  let ofAlice: ChatSocket;
  let ofBob: ChatSocket;
  /** An account of another instance. */
  let carol: ChatUser;
  let ofCarol: ChatSocket;
  beforeAll(async () => {
    chat = await ChatUnderTest.startWithRedis();
    ({ alice, bob, carol, ofAlice, ofBob, ofCarol } = await joinThreeUsers(chat, rich));
  });
  beforeEach(async () => {
    for (const user of [alice, bob, carol])
      for (const { id } of await user.conversations()) await acknowledge(user, id);
  });
  afterAll(() => chat.stop());

  const acknowledge = (user: ChatUser, conversation_id: string) =>
    user.socket.request('acknowledgment', { conversation_id }, 'acknowledged');
  const newGroup = async (members = ['bob', 'carol']) => (await alice.open(members)).id;
  const countsOf = (user: ChatUser) => user.getJson('/messages/unread-counts', unreadCounts);
  const mentionsOf = (user: ChatUser) => user.getJson('/messages/mentions', z.array(mentioningMessage));
  const fetched = (user: ChatUser, id: string) =>
    user.getJson(`/messages/conversation?id=${id}&extended=true`, extendedConversation);
  const say = (socket: ChatSocket, conversation_id: string, message: string, reply_to?: string) =>
    socket.request(
      'chat-message',
      { conversation_id, message, ...(reply_to !== undefined && { reply_to }) },
      'chat-message',
    );
  const edit = (socket: ChatSocket, id: string, message: string) =>
    socket.request('edit-message', { id, message }, 'message-edited');

  row(
    ['GET /messages/mentions', 'GET /messages/unread-counts'],
    'has its range in frames, histories and lists, and is counted until it is read',
    async () => {
      const id = await newGroup();
      await acknowledge(carol, id);
      const sent = await say(ofBob, id, 'Hi @carol!');
      const mentions = [{ offset: 3, length: 6, username: 'carol' }];
      expect(sent).toMatchObject({ mentions });
      const { payload } = await ofCarol.next('chat-message', (message) => message.id === sent.id);
      expect(payload.mentions).toEqual(mentions);
      expect((await carol.extendedHistory(id)).at(-1)).toMatchObject({ id: sent.id, mentions });
      expect((await mentionsOf(carol))[0]).toMatchObject({ id: sent.id, mentions, unread: true });
      expect(await fetched(carol, id)).toMatchObject({ unread_count: 1, mention_count: 1, first_unread_id: sent.id });
      expect(await countsOf(carol)).toEqual({ direct_messages: 0, mentions: 1, group_messages: 1 });
      const read = ofCarol.next('read-position', ({ conversation_id }) => conversation_id === id);
      await acknowledge(carol, id);
      expect((await read).payload).toMatchObject({ unread_count: 0, mention_count: 0 });
      expect(await fetched(carol, id)).toMatchObject({ mention_count: 0, first_unread_id: null });
      expect((await mentionsOf(carol))[0]).toMatchObject({ id: sent.id, unread: false });
      expect(await countsOf(carol)).toEqual({ direct_messages: 0, mentions: 0, group_messages: 0 });
    },
  );

  it('reaches no client that does not ask for it', async () => {
    const id = await newGroup();
    const sent = await say(bob.socket, id, '@carol');
    const { payload } = await carol.socket.next('chat-message', (message) => message.id === sent.id);
    const plain = {
      id: sent.id,
      conversation_id: id,
      from: 'bob',
      to: null,
      content: '@carol',
      timestamp: sent.timestamp,
    };
    expect(payload).toEqual({ ...plain, read: false });
    expect((await carol.history(id)).at(-1)).toEqual({ ...plain, read: false });
    expect((await carol.unread()).at(-1)).toEqual(plain);
  });

  it('of an account that is no member of the group is text', async () => {
    const id = await newGroup(['bob']);
    expect(await say(ofBob, id, '@carol @alice')).toMatchObject({ mentions: [{ username: 'alice' }] });
    expect((await mentionsOf(carol)).some(({ conversation_id }) => conversation_id === id)).toBe(false);
  });

  it('in a channel may be of any account, and is counted before it follows the channel', async () => {
    const { id } = await alice.createChannel('Bees');
    const sent = await say(ofAlice, id, '@carol, look');
    expect((await mentionsOf(carol))[0]).toMatchObject({ id: sent.id, unread: true });
    expect((await countsOf(carol)).mentions).toBe(1);
    await acknowledge(carol, id);
    expect((await countsOf(carol)).mentions).toBe(0);
  });

  it('of an account that was removed from the channel is not shown to it', async () => {
    const { id } = await alice.createChannel('Wasps');
    await say(carol.socket, id, 'hello');
    await say(ofAlice, id, '@carol!');
    await ofAlice.request('remove-member', { conversation_id: id, username: 'carol' }, 'member-removed');
    expect((await mentionsOf(carol)).some(({ conversation_id }) => conversation_id === id)).toBe(false);
    expect((await countsOf(carol)).mentions).toBe(0);
    expect(await say(ofAlice, id, '@carol?')).not.toHaveProperty('mentions');
  });

  it('of all members is for moderators', async () => {
    const id = await newGroup();
    await acknowledge(carol, id);
    expect(await say(ofBob, id, '@all @carol')).toMatchObject({ mentions: [{ username: 'carol' }] });
    const sent = await say(ofAlice, id, '@all and @carol');
    expect(sent.mentions).toMatchObject([{ offset: 0, length: 4, username: null }, { username: 'carol' }]);
    expect(await fetched(carol, id)).toMatchObject({ unread_count: 2, mention_count: 2 });
    expect((await fetched(alice, id)).mention_count).toBe(0);
    expect((await mentionsOf(bob))[0]).toMatchObject({ id: sent.id });
    expect((await mentionsOf(alice)).some((message) => message.id === sent.id)).toBe(false);
  });

  it('of all members does not count for an account that blocks the sender', async () => {
    const id = await newGroup();
    await acknowledge(carol, id);
    await ofCarol.request('block-user', { username: 'alice' }, 'user-blocked');
    const { id: message } = await say(ofAlice, id, '@all');
    expect(await fetched(carol, id)).toMatchObject({ mention_count: 0 });
    expect((await mentionsOf(carol)).some((each) => each.id === message)).toBe(false);
    await ofCarol.request('unblock-user', { username: 'alice' }, 'user-unblocked');
    expect(await fetched(carol, id)).toMatchObject({ mention_count: 1 });
  });

  it('in a channel does not count for an account that has left it', async () => {
    const { id } = await alice.createChannel('Hornets');
    await say(carol.socket, id, 'hello');
    await ofCarol.request('leave-conversation', { conversation_id: id }, 'conversation-removed');
    const { id: message } = await say(ofAlice, id, '@carol');
    expect((await countsOf(carol)).mentions).toBe(0);
    expect((await mentionsOf(carol)).some((each) => each.id === message)).toBe(false);
  });

  it('is in the read position of a client that resumes', async () => {
    const id = await newGroup();
    await acknowledge(carol, id);
    const away = await carol.connect([...rich, 'read-position']);
    away.send('authenticate', { token: carol.session.token });
    const { cursor } = (await away.next('status', (status) => status.cursor !== undefined)).payload;
    await away.close();
    const sent = await say(ofBob, id, 'hi');
    await say(ofBob, id, '@carol');
    const { seq } = (await carol.extendedHistory(id)).find((each) => each.id === sent.id) ?? {};
    await ofCarol.request('acknowledgment', { conversation_id: id, seq }, 'read-position');
    const again = await chat.instance.openSocket();
    again.send('authenticate', { token: carol.session.token, capabilities: rich, resume: cursor });
    const { payload } = await again.next('read-position', (position) => position.conversation_id === id);
    expect(payload).toMatchObject({ unread_count: 1, mention_count: 1 });
  });

  it('of those who are online is not counted', async () => {
    const id = await newGroup();
    await acknowledge(carol, id);
    expect(await say(ofAlice, id, '@here')).toMatchObject({ mentions: [{ username: null }] });
    expect(await fetched(carol, id)).toMatchObject({ unread_count: 1, mention_count: 0 });
  });

  it('is also a reply to a message of the account', async () => {
    const id = await newGroup();
    const { id: question } = await say(ofCarol, id, 'Coffee?');
    const sent = await say(ofBob, id, 'Yes!', question);
    expect(sent).not.toHaveProperty('mentions');
    expect(await fetched(carol, id)).toMatchObject({ mention_count: 1 });
    expect((await mentionsOf(carol))[0]).toMatchObject({ id: sent.id, reply_to: { id: question } });
    await edit(ofBob, sent.id, 'No!');
    expect(await fetched(carol, id)).toMatchObject({ mention_count: 1 });
  });

  it('of oneself, or of an account that blocks the sender, is not counted', async () => {
    const id = await newGroup();
    await ofCarol.request('block-user', { username: 'bob' }, 'user-blocked');
    const sent = await say(ofBob, id, '@bob @carol');
    expect(sent).toMatchObject({ mentions: [{ username: 'bob' }, { username: 'carol' }] });
    for (const user of [bob, carol]) expect(await fetched(user, id)).toMatchObject({ mention_count: 0 });
    await ofCarol.request('unblock-user', { username: 'bob' }, 'user-unblocked');
    expect(await fetched(carol, id)).toMatchObject({ mention_count: 0 });
  });

  it('is added and removed by an edit', async () => {
    const id = await newGroup();
    const { id: message } = await say(ofBob, id, 'Hi');
    await acknowledge(carol, id);
    expect(await edit(ofBob, message, 'Hi @carol')).toMatchObject({ mentions: [{ offset: 3, length: 6 }] });
    const { payload } = await ofCarol.next('message-edited', (edited) => edited.id === message);
    expect(payload).toMatchObject({ content: 'Hi @carol', mentions: [{ username: 'carol' }] });
    expect(await fetched(carol, id)).toMatchObject({ unread_count: 0, mention_count: 1 });
    const [mention] = await mentionsOf(carol);
    expect(mention).toMatchObject({ id: message, unread: true });
    expect(mention?.mention_seq).toBeGreaterThan(mention?.seq ?? NaN);
    const read = { conversation_id: id, seq: mention?.mention_seq };
    await ofCarol.request('acknowledgment', read, 'read-position');
    expect((await mentionsOf(carol))[0]).toMatchObject({ id: message, unread: false });
    await edit(ofBob, message, 'Hi `@carol`');
    expect((await mentionsOf(carol)).some((each) => each.id === message)).toBe(false);
  });

  it('stays read if an edit keeps it', async () => {
    const id = await newGroup();
    const { id: message } = await say(ofBob, id, 'Hi @carol');
    await acknowledge(carol, id);
    await edit(ofBob, message, 'Hello @carol');
    expect(await fetched(carol, id)).toMatchObject({ mention_count: 0 });
  });

  it('goes with its message', async () => {
    const id = await newGroup();
    const { id: message } = await say(ofBob, id, '@carol');
    await ofBob.request('delete-message', { id: message }, 'message-deleted');
    expect(await fetched(carol, id)).toMatchObject({ mention_count: 0 });
    expect((await mentionsOf(carol)).some((mention) => mention.id === message)).toBe(false);
  });

  it('in the first message of a group is one, and counts direct messages apart', async () => {
    const { id } = await alice.open(['bob', 'carol'], '@carol, welcome');
    expect(await fetched(carol, id)).toMatchObject({ mention_count: 1 });
    const dm = await alice.open('carol', 'Hi @carol');
    await say(ofAlice, dm.id, 'there');
    const counts = await countsOf(carol);
    expect(counts).toEqual({ direct_messages: 2, mentions: 1, group_messages: 1 });
  });

  it('is all that counts of a muted conversation', async () => {
    const id = await newGroup();
    const dm = await alice.open('carol', 'Hi');
    for (const each of [id, dm.id]) {
      const preferences = { conversation_id: each, muted: true };
      await ofCarol.request('set-conversation-preferences', preferences, 'conversation-preferences-changed');
      await acknowledge(carol, each);
      await say(ofAlice, each, 'hi');
      await say(ofAlice, each, '@carol');
    }
    expect(await countsOf(carol)).toEqual({ direct_messages: 0, mentions: 2, group_messages: 0 });
    for (const each of [id, dm.id]) expect(await fetched(carol, each)).toMatchObject({ unread_count: 2 });
  });

  it('is listed in pages, the newest first', async () => {
    const ids = [await newGroup(), await newGroup()];
    for (let n = 0; n < 130; n += 1)
      await say(n % 3 === 0 ? ofAlice : ofBob, ids[n % 2] ?? '', n % 3 === 0 ? `@all ${n}` : `@carol ${n}`);
    const pages = await pagesOf(chat.instance, carol, '/messages/mentions', z.array(mentioningMessage));
    const listed = pages.flatMap(({ body }) => body);
    const numbers = listed.slice(0, 130).map(({ content }) => Number(content.split(' ')[1]));
    expect(numbers).toEqual(Array.from({ length: 130 }, (_, n) => 129 - n));
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
  });

  it('is listed once, also if it has an earlier time than those before it', async () => {
    const id = await newGroup();
    for (let n = 0; n < 120; n += 1) await say(ofBob, id, `@carol ${n}`);
    const client = new Client({ connectionString: chat.database.url });
    await client.connect();
    await client.query(
      `UPDATE mention SET at = at - interval '1 day'
       WHERE conversation_id = $1 AND seq > (SELECT last_seq - 3 FROM conversation WHERE id = $1)`,
      [id],
    );
    await client.end();
    const pages = await pagesOf(chat.instance, carol, '/messages/mentions', z.array(mentioningMessage));
    const listed = pages.flatMap(({ body }) => body.filter(({ conversation_id }) => conversation_id === id));
    const numbers = listed.map(({ content }) => Number(content.split(' ')[1]));
    expect(numbers).toEqual([...Array.from({ length: 117 }, (_, n) => 116 - n), 119, 118, 117]);
  });
});
