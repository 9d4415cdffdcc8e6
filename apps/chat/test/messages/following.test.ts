import { until } from '@waggle/testing';
import { MessageWriter } from '../../src/messages/message-writer';
import { newMessage } from '../../src/log/append-messages';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest, type ChatInstance } from '../support/chat-under-test';
import { HeldLock } from '../support/held-lock';

/** The number of channels that an account can follow without being a member. */
const maxFollowed = 50;

describe('an account that requests one channel more than it can follow', () => {
  let chat: ChatUnderTest;
  let here: ChatInstance;
  let there: ChatInstance;
  let alice: ChatUser;
  let bobHere: ChatUser;
  let bobThere: ChatUser;
  const channels: string[] = [];
  beforeAll(async () => {
    chat = await ChatUnderTest.startWithRedis();
    here = chat.instance;
    there = await chat.addInstance();
    [alice, bobHere, bobThere] = [await here.join('alice'), await here.join('bob'), await there.join('bob')];
    for (let i = 0; i <= maxFollowed; i += 1) channels.push((await alice.createChannel(`channel ${i}`)).id);
  });
  afterAll(() => chat.stop());

  const streamsAt = async ({ url }: ChatInstance) =>
    Number(/^chat_streams (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
  const whenStreamsAre = (instance: ChatInstance, count: number) =>
    until(async () => (await streamsAt(instance)) === count);

  it('no longer receives the first one at any instance', async () => {
    const [first = '', ...others] = channels;
    const last = others.at(-1) ?? '';
    await bobHere.conversation(first);
    // The stream of the channel, in addition to the account's own.
    await whenStreamsAre(there, 2);
    await alice.say(first, 'heard of the first');
    for (const { socket } of [bobHere, bobThere]) await socket.next('chat-message');

    for (const id of others) await bobHere.conversation(id);
    await alice.say(first, 'unheard');
    await alice.say(last, 'heard of the last');
    await bobHere.socket.next('chat-message', ({ content }) => content === 'heard of the last');
    expect(bobHere.socket.received('chat-message').map(({ content }) => content)).not.toContain('unheard');

    // From now on only the streams of the others can add up to this number.
    await bobThere.socket.next('chat-message', ({ content }) => content === 'heard of the last');
    await whenStreamsAre(there, maxFollowed + 1);
    await alice.say(first, 'unheard there');
    await alice.say(last, 'the end');
    await bobThere.socket.next('chat-message', ({ content }) => content === 'the end');
    expect(bobThere.socket.received('chat-message').map(({ content }) => content)).not.toContain('unheard there');

    // Alice, who made them, is a member of all.
    await alice.socket.close();
    await whenStreamsAre(here, maxFollowed + 1);
  });

  it('receives after a resume all messages that were stored before it stopped following', async () => {
    const [, oldest = ''] = channels;
    const { id: newest } = await alice.createChannel('newest');
    const synced = async (resume?: string) => {
      const socket = await here.openSocket();
      socket.send('authenticate', { token: bobHere.session.token, capabilities: ['sync'], resume });
      return socket;
    };
    const disconnected = await synced();
    const { cursor } = (await disconnected.next('status')).payload;
    await disconnected.close();

    const texts = ['one', 'two', 'three'];
    const messages = texts.map((content) => newMessage('alice', oldest, { content, clientId: null }));
    const heldLock = await HeldLock.connect(chat.database);
    await heldLock.runInOrder<unknown>(
      { text: 'SELECT FROM conversation WHERE id = $1 FOR UPDATE', values: [oldest] },
      () => here.provided(MessageWriter).store(messages),
      () => bobHere.conversation(newest),
    );
    await heldLock.disconnect();

    const resumed = await synced(cursor);
    // Entries that the instance just discovered are delivered after `resume-complete`.
    await resumed.next('chat-message', ({ content }) => content === texts.at(-1));
    const received = resumed.received('chat-message').filter(({ conversation_id }) => conversation_id === oldest);
    expect(received.map(({ content }) => content)).toEqual(texts);
  });

  it('receives a channel that it requests while another of its requests leaves it again', async () => {
    const carol = await here.join('carol');
    const { id } = await carol.createChannel('left');
    await bobHere.conversation(id);
    await bobHere.socket.request('leave-conversation', { conversation_id: id }, 'conversation-removed');
    const heldLock = await HeldLock.connect(chat.database);
    // As the transaction of that request; the account followed the channel before.
    const leave = {
      text: `
        WITH entry AS (UPDATE conversation SET last_seq = last_seq + 1, changed_seq = last_seq + 1 WHERE id = $1 RETURNING id, last_seq),
          logged AS (INSERT INTO commit_log (at, streams, seqs) SELECT clock_timestamp(), ARRAY[id], ARRAY[last_seq] FROM entry),
          event AS (INSERT INTO event (stream, seq, at, events, leaves) SELECT id, last_seq, clock_timestamp(), '[]', '{bob}' FROM entry)
        UPDATE member SET left_seq = last_seq, left_at = clock_timestamp() FROM entry WHERE conversation_id = id AND account = 'bob'`,
      values: [id],
    };
    await heldLock.runInOrder<unknown>(leave, () => bobHere.conversation(id));
    await heldLock.disconnect();
    await carol.say(id, 'afterwards');
    for (const { socket } of [bobHere, bobThere])
      await socket.next('chat-message', ({ content }) => content === 'afterwards');
  });
});
