import { receipt } from '@waggle/contracts';
import { Pool } from 'pg';
import { z } from 'zod';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';

describe('receipts in groups', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  let bob: ChatUser;
  let carol: ChatUser;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    [alice, bob, carol] = [
      await chat.instance.join('alice'),
      await chat.instance.join('bob'),
      await chat.instance.join('carol'),
    ];
  });
  afterAll(() => chat.stop());

  const receiptsOf = async (user: ChatUser, id: string): Promise<Record<string, number>> => {
    const receipts = await user.getJson(`/messages/receipts?conversation_id=${id}`, z.array(receipt));
    return Object.fromEntries(receipts.map(({ username, seq }) => [username, seq]));
  };
  const acknowledge = (user: ChatUser, conversation_id: string) =>
    user.socket.request('acknowledgment', { conversation_id }, 'acknowledged');

  row('GET /messages/receipts', 'say how far each member has read, live and over REST', async () => {
    const ofAlice = await alice.connect(['rich']);
    const { id } = await alice.open(['bob', 'carol']);
    expect(await receiptsOf(alice, id)).toEqual({ alice: 0, bob: 0, carol: 0 });
    const [first] = await alice.extendedHistory(id);
    await acknowledge(bob, id);
    const { payload } = await ofAlice.next('receipts-changed', ({ conversation_id }) => conversation_id === id);
    expect(payload.receipts).toEqual([{ username: 'bob', seq: first?.seq }]);
    expect(await receiptsOf(carol, id)).toEqual({ alice: 0, bob: first?.seq, carol: 0 });
    expect(alice.socket.received('receipts-changed')).toEqual([]);
    // To mark a message as unread takes nothing back.
    const marking = await bob.connect(['read-position']);
    await marking.request('mark-unread', { id: first?.id }, 'read-position');
    expect(await receiptsOf(carol, id)).toMatchObject({ bob: first?.seq });
  });

  it('are hidden between members of whom one blocks the other', async () => {
    const [ofAlice, ofCarol] = [await alice.connect(['rich']), await carol.connect(['rich'])];
    const { id } = await alice.open(['bob', 'carol']);
    await alice.socket.request('block-user', { username: 'bob' }, 'user-blocked');
    await acknowledge(bob, id);
    const ofGroup = ({ conversation_id }: { conversation_id: string }) => conversation_id === id;
    await ofCarol.next('receipts-changed', ofGroup);
    await acknowledge(carol, id);
    const { payload } = await ofAlice.next('receipts-changed', ofGroup);
    expect(payload.receipts.map(({ username }) => username)).toEqual(['carol']);
    expect(Object.keys(await receiptsOf(alice, id))).toEqual(['alice', 'carol']);
    expect(Object.keys(await receiptsOf(bob, id))).toEqual(['bob', 'carol']);
    await alice.socket.request('unblock-user', { username: 'bob' }, 'user-unblocked');
  });

  it('exist in groups only', async () => {
    const [dm, channel, foreign] = [
      await alice.open('bob'),
      await alice.createChannel('Bees'),
      await alice.open(['carol']),
    ];
    for (const { id } of [dm, channel]) expect(await receiptsOf(bob, id)).toEqual({});
    expect(await bob.getError(`/messages/receipts?conversation_id=${foreign.id}`)).toMatchObject({ statusCode: 404 });
  });

  it('exist in groups of up to 50 members', async () => {
    const { id } = await alice.open(['bob']);
    const pool = new Pool({ connectionString: chat.database.url });
    const grow = (count: number) =>
      pool.query(
        `INSERT INTO member (conversation_id, account) SELECT $1, 'member-' || n FROM generate_series(1, $2::int) n
         ON CONFLICT DO NOTHING`,
        [id, count],
      );
    await grow(48);
    expect(Object.keys(await receiptsOf(alice, id))).toHaveLength(50);
    await grow(49);
    expect(await receiptsOf(alice, id)).toEqual({});
    await pool.end();
  });
});
