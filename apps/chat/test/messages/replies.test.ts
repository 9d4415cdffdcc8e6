import { unreadMessageWithSeq, type Capability } from '@waggle/contracts';
import { Client } from 'pg';
import { z } from 'zod';
import { type ChatSocket } from '../support/chat-socket';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { joinThreeUsers } from '../support/three-users';

const rich: readonly Capability[] = ['rich', 'sync'];

describe('a reply', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  let bob: ChatUser;
  let ofAlice: ChatSocket;
  let ofBob: ChatSocket;
  /** An account of another instance. */
  let carol: ChatUser;
  let ofCarol: ChatSocket;
  let conversation_id: string;
  beforeAll(async () => {
    chat = await ChatUnderTest.startWithRedis();
    ({ alice, bob, carol, ofAlice, ofBob, ofCarol } = await joinThreeUsers(chat, rich));
    ({ id: conversation_id } = await alice.open(['bob', 'carol']));
  });
  afterAll(() => chat.stop());

  const reply = (to: string, message: string, socket = ofBob) =>
    socket.request('chat-message', { conversation_id, message, reply_to: to }, 'chat-message');
  const replyError = async (payload: object) =>
    (await ofBob.requestError('chat-message', { conversation_id, message: 'reply', ...payload })).code;
  const last = async (user: ChatUser) => (await user.extendedHistory(conversation_id)).at(-1);

  it('has a quote in frames, histories and unread messages', async () => {
    const { id } = await alice.say(conversation_id, 'Coffee?');
    const quote = { id, from: 'alice', content: 'Coffee?' };
    const sent = await reply(id, 'Yes!');
    expect(sent).toMatchObject({ content: 'Yes!', reply_to: quote });
    for (const socket of [ofAlice, ofCarol]) {
      const { payload } = await socket.next('chat-message', (message) => message.id === sent.id);
      expect(payload.reply_to).toEqual(quote);
    }
    for (const user of [alice, bob, carol]) expect(await last(user)).toMatchObject({ id: sent.id, reply_to: quote });
    const unread = await carol.getJson('/messages/new?extended=true', z.array(unreadMessageWithSeq));
    expect(unread.at(-1)).toMatchObject({ id: sent.id, reply_to: quote });
  });

  it('is a plain message for clients that do not ask for more', async () => {
    const { id } = await alice.say(conversation_id, 'Tea?');
    const sent = await reply(id, 'No!');
    const { payload } = await carol.socket.next('chat-message', (message) => message.id === sent.id);
    const plain = { conversation_id, from: 'bob', to: null, content: 'No!', id: sent.id, timestamp: sent.timestamp };
    expect(payload).toEqual({ ...plain, read: false });
    expect((await carol.history(conversation_id)).at(-1)).toEqual({ ...plain, read: false });
    expect((await carol.unread()).at(-1)).toEqual(plain);
  });

  it('quotes 140 characters of the message as it is now', async () => {
    const { id } = await alice.say(conversation_id, '🐝'.repeat(200));
    expect(await reply(id, 'many')).toMatchObject({ reply_to: { content: '🐝'.repeat(140) } });
    await ofAlice.request('edit-message', { id, message: 'few' }, 'message-edited');
    expect(await last(carol)).toMatchObject({ content: 'many', reply_to: { content: 'few' } });
    await ofAlice.request('delete-message', { id }, 'message-deleted');
    expect(await last(carol)).toMatchObject({ content: 'many', reply_to: { id, from: 'alice', content: null } });
    expect(await reply(id, 'late')).toMatchObject({ reply_to: { content: null } });
  });

  it('has its quote for a connection that missed it', async () => {
    const { id } = await alice.say(conversation_id, 'Where?');
    const away = await carol.connect(rich);
    away.send('authenticate', { token: carol.session.token });
    const { cursor } = (await away.next('status', (status) => status.cursor !== undefined)).payload;
    await away.close();
    const sent = await reply(id, 'Here.');
    const again = await chat.instance.openSocket();
    again.send('authenticate', { token: carol.session.token, capabilities: rich, resume: cursor });
    await again.next('resume-complete');
    const missed = again.received('chat-message').find((message) => message.id === sent.id);
    expect(missed?.reply_to).toEqual({ id, from: 'alice', content: 'Where?' });
  });

  it('keeps its place among the other messages of its sender', async () => {
    const { id } = await alice.say(conversation_id, 'Count!');
    for (let n = 0; n < 20; n += 1)
      ofBob.send('chat-message', { conversation_id, message: `${n}`, ...(n % 3 === 0 && { reply_to: id }) });
    await ofBob.next('chat-message', ({ content }) => content === '19');
    const counted = (await alice.extendedHistory(conversation_id)).slice(-20);
    expect(counted.map(({ content }) => content)).toEqual(Array.from({ length: 20 }, (_, n) => `${n}`));
    expect(counted.filter(({ reply_to }) => reply_to !== undefined)).toHaveLength(7);
  });

  it('is rejected, and nothing else, if the conversation does not have the message', async () => {
    const elsewhere = await alice.open('bob');
    const { id } = await alice.say(elsewhere.id, 'secret');
    const { id: known } = await alice.say(conversation_id, 'known');
    ofBob.send('chat-message', { conversation_id, message: 'before' });
    const rejected = replyError({ reply_to: id });
    ofBob.send('chat-message', { conversation_id, message: 'after', reply_to: known });
    expect(await rejected).toBe('not-found');
    await ofBob.next('chat-message', ({ content }) => content === 'after');
    const contents = (await alice.history(conversation_id)).slice(-3).map(({ content }) => content);
    expect(contents).toEqual(['known', 'before', 'after']);
  });

  it.each([[42], [{}], [''], ["'"], ['x'.repeat(65)]])('to %j is no valid frame', async (reply_to) => {
    expect(await replyError({ reply_to })).toBe('invalid-frame');
  });

  it('is a plain message on a connection without the capability, whatever it replies to', async () => {
    const sent = await bob.socket.request(
      'chat-message',
      { conversation_id, message: 'plain', reply_to: { what: 'ever' } },
      'chat-message',
    );
    expect(await last(alice)).toMatchObject({ id: sent.id, content: 'plain' });
    expect(await last(alice)).not.toHaveProperty('reply_to');
  });

  it('is rejected if it would begin a dm, which has no message yet', async () => {
    const { id } = await alice.say(conversation_id, 'elsewhere');
    const payload = { to: 'dave', message: 'reply', reply_to: id };
    expect((await ofBob.requestError('chat-message', payload)).code).toBe('not-found');
    expect((await bob.conversations()).some(({ members }) => members.includes('dave'))).toBe(false);
  });

  it('is a plain message once retention has removed what it replies to', async () => {
    const { id } = await alice.say(conversation_id, 'expires');
    const away = await carol.connect(rich);
    away.send('authenticate', { token: carol.session.token });
    const { cursor } = (await away.next('status', (status) => status.cursor !== undefined)).payload;
    await away.close();
    const send = () =>
      keyed.request(
        'chat-message',
        { conversation_id, message: 'stays', reply_to: id, client_id: 'k' },
        'chat-message',
      );
    const keyed = await bob.connect(['rich', 'client-id']);
    const sent = await send();
    await removeMessage(chat, id);
    expect(await last(carol)).toMatchObject({ id: sent.id, content: 'stays' });
    expect(await last(carol)).not.toHaveProperty('reply_to');
    const again = await chat.instance.openSocket();
    again.send('authenticate', { token: carol.session.token, capabilities: rich, resume: cursor });
    await again.next('resume-complete');
    const missed = again.received('chat-message').find((message) => message.id === sent.id);
    expect(missed).toMatchObject({ content: 'stays' });
    expect(missed).not.toHaveProperty('reply_to');
    // A repetition is still one.
    expect((await send()).id).toBe(sent.id);
  });

  it('is no repetition of a reply to another message', async () => {
    const [one, other] = [await alice.say(conversation_id, 'one'), await alice.say(conversation_id, 'other')];
    const keyed = await bob.connect(['rich', 'client-id']);
    const payload = { conversation_id, message: 'yes', client_id: 'answer' };
    await keyed.request('chat-message', { ...payload, reply_to: one.id }, 'chat-message');
    expect((await keyed.requestError('chat-message', { ...payload, reply_to: other.id })).code).toBe('conflict');
  });

  it('has no quote for an account that has left, and repeats it', async () => {
    const group = await alice.open(['bob', 'carol']);
    const { id } = await alice.say(group.id, 'before');
    const keyed = await bob.connect(['rich', 'client-id']);
    const payload = { conversation_id: group.id, message: 'yes', client_id: 'left', reply_to: id };
    const sent = await keyed.request('chat-message', payload, 'chat-message');
    await keyed.request('leave-conversation', { conversation_id: group.id }, 'conversation-removed');
    await ofAlice.request('edit-message', { id, message: 'not for bob' }, 'message-edited');
    const repeated = await keyed.request('chat-message', payload, 'chat-message');
    expect(repeated.id).toBe(sent.id);
    expect(repeated).not.toHaveProperty('reply_to');
  });

  it('makes its sender a member of the channel, as any message', async () => {
    const channel = await alice.createChannel('Bees');
    const { id } = await alice.say(channel.id, 'buzz');
    const payload = { conversation_id: channel.id, message: 'bzz', reply_to: id };
    expect(await ofBob.request('chat-message', payload, 'chat-message')).toMatchObject({ reply_to: { id } });
    expect((await alice.conversation(channel.id)).members).toEqual(['alice', 'bob']);
  });
});

/** Removes a message as retention does. */
async function removeMessage(chat: ChatUnderTest, id: string): Promise<void> {
  const client = new Client({ connectionString: chat.database.url });
  await client.connect();
  try {
    await client.query('DELETE FROM message WHERE id = $1', [id]);
  } finally {
    await client.end();
  }
}
