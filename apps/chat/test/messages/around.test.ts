import { messageWithSeq } from '@waggle/contracts';
import { z } from 'zod';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { pagesOf } from '../support/pages';

describe('the history around a message', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  let conversationId: string;
  /** The ids of messages `0` to `29`, of which `10` to `14` are deleted. */
  const ids: string[] = [];
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    alice = await chat.instance.join('alice');
    ({ id: conversationId } = await alice.open('bob'));
    for (let n = 0; n < 30; n += 1) ids.push((await alice.say(conversationId, `${n}`)).id);
    for (const id of ids.slice(10, 15)) await alice.socket.request('delete-message', { id }, 'message-deleted');
  });
  afterAll(() => chat.stop());

  const path = (n: number, limit: number) =>
    `/messages/chats?conversation_id=${conversationId}&extended=true&around=${ids[n]}&limit=${limit}`;
  const around = async (n: number, limit: number) =>
    (await alice.getJson(path(n, limit), z.array(messageWithSeq))).map(({ content }) => content);

  it.each([
    [20, 6, ['18', '19', '20', '21', '22', '23']],
    [20, 5, ['18', '19', '20', '21', '22']],
    [16, 6, ['9', '15', '16', '17', '18', '19']],
    [29, 6, ['27', '28', '29']],
    [0, 4, ['hello', '0', '1', '2']],
    [20, 1, ['20']],
    // Deleted: what is around its place.
    [12, 4, ['8', '9', '15', '16']],
  ])('has message %i in its middle: %i messages', async (n, limit, expected) => {
    expect(await around(n, limit)).toEqual(expected);
  });

  it('leads to newer messages', async () => {
    const pages = await pagesOf(chat.instance, alice, path(20, 4), z.array(messageWithSeq));
    const contents = pages.flatMap(({ body }) => body.map(({ content }) => content));
    expect(contents).toEqual(Array.from({ length: 11 }, (_, n) => `${n + 19}`));
  });

  it('has the message also if long messages before it fill a page', async () => {
    const { id } = await alice.open('dave');
    for (let n = 0; n < 55; n += 1) await alice.say(id, '蜂'.repeat(4_000));
    const sought = await alice.say(id, 'sought');
    const path = `/messages/chats?conversation_id=${id}&extended=true&around=${sought.id}&limit=100`;
    expect(await alice.getJson(path, z.array(messageWithSeq))).toMatchObject([{ content: 'sought' }]);
  });

  it('exists where the first message was deleted', async () => {
    const { id } = await alice.open('erin');
    const [first] = await alice.history(id);
    await alice.say(id, 'second');
    await alice.socket.request('delete-message', { id: first?.id ?? '' }, 'message-deleted');
    const path = `/messages/chats?conversation_id=${id}&extended=true&around=${first?.id}`;
    expect(await alice.getJson(path, z.array(messageWithSeq))).toMatchObject([{ content: 'second' }]);
  });

  it('does not exist for a message of another conversation, or for an account that may not read it', async () => {
    const other = await alice.open('carol');
    const query = (conversation: string, id: string | undefined) =>
      `/messages/chats?conversation_id=${conversation}&around=${id}`;
    expect(await alice.getError(query(other.id, ids[3]))).toMatchObject({ code: 'not-found' });
    expect(await alice.getError(query(conversationId, 'nothing'))).toMatchObject({ code: 'not-found' });
    const judy = await chat.instance.join('judy');
    expect(await judy.getError(query(conversationId, ids[3]))).toMatchObject({ code: 'not-found' });
  });
});
