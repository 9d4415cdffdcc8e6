import { maxPins, pin, type Capability } from '@waggle/contracts';
import { Pool } from 'pg';
import { z } from 'zod';
import { type ChatSocket } from '../support/chat-socket';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';

const rich: readonly Capability[] = ['rich', 'sync'];

describe('pinned messages', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  let bob: ChatUser;
  let ofAlice: ChatSocket;
  let ofBob: ChatSocket;
  let pool: Pool;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    pool = new Pool({ connectionString: chat.database.url });
    [alice, bob] = [await chat.instance.join('alice'), await chat.instance.join('bob')];
    [ofAlice, ofBob] = [await alice.connect(rich), await bob.connect(rich)];
  });
  afterAll(async () => {
    await pool.end();
    await chat.stop();
  });

  const pinMessage = (socket: ChatSocket, id: string) => socket.request('pin-message', { id }, 'pins-changed');
  const unpin = (socket: ChatSocket, id: string) => socket.request('unpin-message', { id }, 'pins-changed');
  const errorOf = async (socket: ChatSocket, id: string, type: 'pin-message' | 'unpin-message' = 'pin-message') =>
    (await socket.requestError(type, { id })).code;
  const pinsOf = (user: ChatUser, id: string) => user.getJson(`/messages/pins?conversation_id=${id}`, z.array(pin));
  const idsOf = async (user: ChatUser, id: string) => (await pinsOf(user, id)).map((each) => each.id);

  row('GET /messages/pins', 'are pinned and unpinned by moderators, for all members', async () => {
    const { id: conversation_id } = await alice.open(['bob']);
    const [first, second] = [await alice.say(conversation_id, 'a'.repeat(200)), await bob.say(conversation_id, 'two')];
    const payload = { id: first.id, conversation_id, username: 'alice', pinned: true };
    expect(await pinMessage(ofAlice, first.id)).toEqual(payload);
    expect((await ofBob.next('pins-changed', ({ id }) => id === first.id)).payload).toEqual(payload);
    await pinMessage(ofAlice, second.id);
    expect(await pinsOf(bob, conversation_id)).toMatchObject([
      { id: second.id, from: 'bob', content: 'two', pinned_by: 'alice', timestamp: second.timestamp },
      { id: first.id, from: 'alice', content: 'a'.repeat(140) },
    ]);
    expect(await errorOf(ofBob, first.id, 'unpin-message')).toBe('forbidden');
    expect(await errorOf(ofBob, second.id)).toBe('forbidden');
    expect(await unpin(ofAlice, first.id)).toEqual({ ...payload, pinned: false });
    expect(await idsOf(bob, conversation_id)).toEqual([second.id]);
  });

  it('are pinned by both accounts of a dm, unless one blocks the other', async () => {
    const { id } = await alice.open('bob');
    const message = await alice.say(id, 'hello');
    await pinMessage(ofBob, message.id);
    await unpin(ofAlice, message.id);
    await alice.socket.request('block-user', { username: 'bob' }, 'user-blocked');
    expect(await errorOf(ofBob, message.id)).toBe('blocked');
    await alice.socket.request('unblock-user', { username: 'bob' }, 'user-unblocked');
    expect(await idsOf(alice, id)).toEqual([]);
  });

  it('change nothing if a request is repeated, and only its connection gets a reply', async () => {
    const { id } = await alice.open(['bob']);
    const message = await alice.say(id, 'once');
    expect(await unpin(ofAlice, message.id)).toMatchObject({ pinned: false });
    await pinMessage(ofAlice, message.id);
    expect(await pinMessage(ofAlice, message.id)).toMatchObject({ pinned: true });
    await alice.say(id, 'after');
    await ofBob.next('chat-message', ({ content }) => content === 'after');
    expect(ofBob.received('pins-changed').filter((payload) => payload.id === message.id)).toHaveLength(1);
    expect(bob.socket.received('pins-changed')).toEqual([]);
  });

  it('are no longer pinned once they are deleted', async () => {
    const { id } = await alice.open(['bob']);
    const message = await alice.say(id, 'gone');
    await pinMessage(ofAlice, message.id);
    await alice.socket.request('delete-message', { id: message.id }, 'message-deleted');
    expect(await pinsOf(bob, id)).toEqual([]);
    expect(await errorOf(ofAlice, message.id)).toBe('not-found');
    const { rows } = await pool.query('SELECT FROM pin WHERE conversation_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  it(`are at most ${maxPins} in a conversation`, async () => {
    const { id } = await alice.open(['bob']);
    const messages = [];
    for (let n = 0; n <= maxPins; n += 1) messages.push(await alice.say(id, `message ${n}`));
    const [last, ...others] = messages.reverse();
    await pool.query(`INSERT INTO pin SELECT conversation_id, seq, 'alice', now() FROM message WHERE id = ANY($1)`, [
      others.map((each) => each.id),
    ]);
    expect(await errorOf(ofAlice, last?.id ?? '')).toBe('too-large');
    await unpin(ofAlice, others[0]?.id ?? '');
    await pinMessage(ofAlice, last?.id ?? '');
    expect(await idsOf(bob, id)).toHaveLength(maxPins);
  });

  it('are readable by all in a channel, by members in a group', async () => {
    const [channel, group] = [await alice.createChannel('Bees'), await alice.open(['carol'])];
    await pinMessage(ofAlice, (await alice.say(channel.id, 'read me')).id);
    await pinMessage(ofAlice, (await alice.say(group.id, 'secret')).id);
    expect(await pinsOf(bob, channel.id)).toMatchObject([{ content: 'read me' }]);
    expect(await bob.getError(`/messages/pins?conversation_id=${group.id}`)).toMatchObject({ statusCode: 404 });
  });
});
