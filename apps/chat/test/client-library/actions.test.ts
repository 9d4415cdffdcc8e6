import { type Chat, type ExportLine, type MessageRevision, RejectedError, type Session } from '@waggle/client';
import { until } from '@waggle/testing';
import { Client } from 'pg';
import { ChatUnderTest } from '../support/chat-under-test';
import { DatabaseState } from '../support/database-state';
import { Clients, logInAs, received, next, rejectionOf } from './clients';

let chat: ChatUnderTest;
let database: DatabaseState;
const clients = new Clients();
let sessions: { alice: Session; bob: Session };
let alice: Chat;
let bob: Chat;

beforeAll(async () => {
  chat = await ChatUnderTest.start();
  database = await DatabaseState.connect(chat.database);
  const { url } = chat.instance;
  sessions = { alice: await logInAs('alice', url), bob: await logInAs('bob', url) };
});
beforeEach(async () => {
  alice = await clients.connect('alice', chat.instance.url, { session: sessions.alice });
  bob = await clients.connect('bob', chat.instance.url, { session: sessions.bob });
});
afterEach(async () => {
  await clients.close();
  await database.clear();
});
afterAll(async () => {
  await database.close();
  await chat.stop();
});

it('changes groups, and resolves with the event that all members receive', async () => {
  const { conversation } = await alice.createGroup(['bob'], 'welcome');
  const { id } = conversation;
  const renamed = next(bob, 'conversation-renamed');
  expect(await alice.rename(id, 'bees')).toEqual({ conversation_id: id, name: 'bees' });
  expect(await renamed).toEqual({ conversation_id: id, name: 'bees' });
  expect(await alice.addMember(id, 'carol')).toEqual({ conversation_id: id, username: 'carol' });
  expect(await alice.addModerator(id, 'bob')).toEqual({ conversation_id: id, username: 'bob' });
  expect(await alice.removeModerator(id, 'bob')).toEqual({ conversation_id: id, username: 'bob' });
  expect(await alice.removeMember(id, 'carol')).toEqual({ conversation_id: id, username: 'carol' });
  expect(await bob.acknowledge(id)).toEqual({ conversation_id: id });
  const [message] = (await bob.api.historyPage(id)).messages;
  expect(await alice.deleteMessage(message?.id ?? '')).toEqual({ id: message?.id });
  expect(await bob.leave(id)).toEqual({ id });
});

it('edits messages and replies to them', async () => {
  const { conversation, message } = await alice.createGroup(['bob'], 'Cofee?');
  const edited = next(bob, 'message-edited');
  const edit = await alice.editMessage(message.id, 'Coffee?');
  expect(edit).toMatchObject({ id: message.id, content: 'Coffee?', revision: 1 });
  expect(await edited).toEqual(edit);
  const reply = await bob.send(conversation.id, 'Yes!', { replyTo: message.id });
  expect(reply.reply_to).toEqual({ id: message.id, from: 'alice', content: 'Coffee?' });
  const revisions: MessageRevision[] = [];
  for await (const revision of bob.api.revisions(message.id)) revisions.push(revision);
  expect(revisions).toEqual([{ revision: 0, content: 'Cofee?', timestamp: message.timestamp }]);
  const { messages } = await alice.api.historyPage(conversation.id, { extended: true });
  expect(messages).toMatchObject([
    { content: 'Coffee?', revision: 1 },
    { content: 'Yes!', reply_to: reply.reply_to },
  ]);
});

it('reacts to messages', async () => {
  const { conversation, message } = await alice.createGroup(['bob'], 'Coffee?');
  const received = next(alice, 'reactions-changed');
  const change = await bob.addReaction(message.id, '☕');
  expect(await received).toEqual(change);
  expect(change.reactions).toEqual([{ emoji: '☕', count: 1 }]);
  const { messages } = await bob.api.historyPage(conversation.id, { extended: true });
  expect(messages.at(-1)?.reactions).toEqual([{ emoji: '☕', count: 1, own: true }]);
  expect((await bob.removeReaction(message.id, '☕')).reactions).toEqual([]);
});

it('sets drafts for the other devices of the account', async () => {
  const { conversation, message } = await alice.createGroup(['bob'], 'Coffee?');
  const phone = await clients.connect('bob', chat.instance.url, { session: sessions.bob });
  const changed = next(phone, 'draft-changed');
  const draft = await bob.setDraft(conversation.id, 'Yes', { replyTo: message.id });
  expect(draft).toMatchObject({ text: 'Yes', reply_to: { id: message.id, from: 'alice', content: 'Coffee?' } });
  expect(await changed).toEqual(draft);
  expect(await phone.api.drafts()).toEqual([draft]);
  expect(await phone.setDraft(conversation.id, '')).toMatchObject({ text: '' });
  expect(await bob.api.drafts()).toEqual([]);
});

it('reads all members of a channel, even if conversations and events contain only some of them', async () => {
  const { id } = await alice.api.createChannel('Bees');
  const database = new Client({ connectionString: chat.database.url });
  await database.connect();
  await database.query(
    `INSERT INTO member (conversation_id, account) SELECT $1, 'member-' || n FROM generate_series(1, 10500) n`,
    [id],
  );
  await database.end();
  const created = next(bob, 'conversation-created');
  await bob.send(id, 'hello');
  expect(await created).toMatchObject({ id, members: ['alice', 'bob'] });
  const members: string[] = [];
  for await (const member of bob.api.members(id)) members.push(member);
  expect(members).toEqual(['alice', ...Array.from({ length: 10_500 }, (_, i) => `member-${i + 1}`), 'bob']);
  expect((await bob.api.conversation(id)).members).toEqual([...members.slice(0, 250), 'bob']);
});

it('supports every friendship action of the interface', async () => {
  const asked = next(bob, 'friendship-requested');
  const { id } = await alice.requestFriendship('bob');
  expect(await asked).toEqual({ id, username: 'alice' });
  expect(await bob.acceptFriendship(id)).toEqual({ id, username: 'alice' });
  expect(await alice.api.friends()).toEqual({ friends: ['bob'], blocked: [] });
  expect(await alice.removeFriendship('bob')).toEqual({ username: 'bob' });

  const again = await alice.requestFriendship('bob');
  expect(await bob.rejectFriendship(again.id)).toEqual({ id: again.id });
  const third = await alice.requestFriendship('bob');
  expect(await bob.requestFriendship('alice')).toEqual({ id: third.id, username: 'alice' });

  expect(await alice.block('bob')).toEqual({ conversation_id: null, username: 'bob' });
  expect(await alice.unblock('bob')).toEqual({ conversation_id: null, username: 'bob' });
});

it('rejects with the code of the service, without an error event', async () => {
  const errors = received(alice, 'error');
  const { conversation } = await alice.createGroup(['bob'], 'welcome');
  const rejections = await Promise.all([
    rejectionOf(bob.rename(conversation.id, 'mine')),
    rejectionOf(alice.acceptFriendship('01ARZ3NDEKTSV4RRFFQ69G5FAV')),
    rejectionOf(alice.removeFriendship('bob')),
    rejectionOf(alice.addMember(conversation.id, 'bob')),
  ]);
  for (const rejection of rejections) expect(rejection).toBeInstanceOf(RejectedError);
  expect(rejections).toMatchObject(['forbidden', 'not-found', 'not-found', 'conflict'].map((code) => ({ code })));
  expect(errors).toEqual([]);
});

it('rejects after its time limit, and reports whether the request was sent', async () => {
  const timeLimits = { responseMs: 100 };
  const idle = await clients.create('carol', chat.instance.url, { timeLimits });
  expect(await rejectionOf(idle.leave('x'))).toMatchObject({ name: 'TimeLimitError', wasSent: false });
});

it('reads every REST resource', async () => {
  const { api } = alice;
  const { conversation_id: id } = await alice.sendTo('bob', 'message 0');
  for (let i = 1; i < 7; i += 1) await alice.send(id, `message ${i}`);
  expect(await api.conversations()).toMatchObject([{ id, type: 'dm' }]);
  expect(await api.conversation(id)).toMatchObject({ id });
  expect(await api.conversationsById([id, 'unknown'])).toMatchObject([{ id }]);
  expect(await api.conversationsById([])).toEqual([]);
  expect(await bob.api.unread()).toHaveLength(7);
  expect(await api.changeSettings({ dm: { only_from_friends: true } })).toEqual({ dm: { only_from_friends: true } });
  expect(await api.settings()).toEqual({ dm: { only_from_friends: true } });
  const channel = await api.createChannel('news');
  expect(await api.channels()).toMatchObject([{ id: channel.id, name: 'news' }]);
  expect(await bob.api.friendRequests()).toEqual([]);
  expect(await api.sessions()).toMatchObject([{ current: true }]);

  const texts: string[] = [];
  for await (const { content } of api.history(id, { pageSize: 3 })) texts.push(content);
  expect(texts).toEqual([6, 5, 4, 3, 2, 1, 0].map((i) => `message ${i}`));
  const early: string[] = [];
  const last = (await api.historyPage(id)).messages.at(-1);
  for await (const { content } of api.history(id, { pageSize: 2, before: last?.timestamp ?? '' })) {
    early.push(content);
    if (early.length === 3) break;
  }
  expect(early).toEqual(['message 5', 'message 4', 'message 3']);

  expect(await rejectionOf(api.conversation('unknown'))).toMatchObject({ code: 'not-found', status: 404 });
});

it('reads the whole history if pages end at 512 KiB', async () => {
  const text = '가'.repeat(4_000);
  const { conversation_id: id } = await alice.sendTo('bob', text);
  for (let i = 1; i < 50; i++) await alice.send(id, text);
  const page = await bob.api.historyPage(id);
  expect(page.messages.length).toBeLessThan(50);
  expect(page.hasOlder).toBe(true);
  expect(await bob.api.historyPage(id, { before: page.messages[0]?.timestamp ?? '' })).toMatchObject({
    hasOlder: false,
  });
  const ids = new Set<string>();
  for await (const message of bob.api.history(id)) ids.add(message.id);
  expect(ids.size).toBe(50);
});

it('reads lists with sequence numbers and unread counts', async () => {
  const stored = await alice.sendTo('bob', 'hello');
  const id = stored.conversation_id;
  const extended = { extended: true } as const;
  expect(await bob.api.conversations(extended)).toMatchObject([
    { id, last_seq: stored.seq, unread_count: 1, last_message: { content: 'hello' } },
  ]);
  expect(await bob.api.conversation(id, extended)).toMatchObject({ id, last_seq: stored.seq });
  expect(await bob.api.conversationsById([id], extended)).toMatchObject([{ id, unread_count: 1 }]);
  expect(await bob.api.unread(extended)).toMatchObject([{ id: stored.id, seq: stored.seq }]);
  expect((await bob.api.historyPage(id, extended)).messages).toMatchObject([{ id: stored.id, seq: stored.seq }]);
});

it('emits typing, presence and read receipts', async () => {
  const { conversation_id: id, seq } = await alice.sendTo('bob', 'hello');
  const typing = received(bob, 'typing');
  for (let key = 0; key < 20; key += 1) alice.typing(id);
  await until(() => typing.length > 0);
  expect(typing).toEqual([{ conversation_id: id, username: 'alice' }]);

  const read = next(alice, 'messages-read');
  await bob.acknowledge(id);
  expect(await read).toEqual({ conversation_id: id, username: 'bob', seq });

  const request = await alice.requestFriendship('bob');
  const befriended = next(alice, 'presence-changed');
  await bob.acceptFriendship(request.id);
  expect(await befriended).toEqual({ username: 'bob', online: true });
  const gone = next(alice, 'presence-changed');
  await bob.close();
  expect(await gone).toEqual({ username: 'bob', online: false });
  const back = next(alice, 'presence-changed');
  await clients.connect('bob', chat.instance.url, { session: sessions.bob });
  expect(await back).toEqual({ username: 'bob', online: true });
});

it('exports the data of the account, and continues after a line', async () => {
  await alice.createGroup(['bob'], 'nectar');
  const collect = async (after?: string) => {
    const lines: ExportLine[] = [];
    for await (const line of alice.api.exportData(after)) lines.push(line);
    return lines;
  };
  const lines = await collect();
  expect(lines.map(({ type }) => type)).toEqual(['account', 'settings', 'session', 'conversation', 'message']);
  expect(lines.at(-1)).toMatchObject({ content: 'nectar' });
  expect(await collect(lines[2]?.cursor)).toEqual(lines.slice(3));
});
