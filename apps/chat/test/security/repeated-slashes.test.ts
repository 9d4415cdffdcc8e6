import { message } from '@waggle/contracts';
import { z } from 'zod';
import { bearer, jsonOf } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';

describe('repeated slashes in a path', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterEach(() => chat.instance.close());
  afterAll(() => chat.stop());

  it.each(['//messages/new', '/messages//new', '///messages///new//'])('count as one over REST: %s', async (path) => {
    const { token } = await chat.instance.logIn('alice');
    expect((await chat.instance.get(path, bearer(token))).status).toBe(200);
    expect((await chat.instance.get(path)).status).toBe(401);
  });

  it.each(['//ws', '/ws//', '//'])('count as one for the WebSocket: %s', async (path) => {
    const { ws_token } = await chat.instance.logIn('alice');
    const socket = await chat.instance.openSocket({ path, query: `?token=${ws_token}` });
    expect(await socket.request('authenticate', {}, 'status')).toEqual({ authenticated: true });
  });

  it('do not lead to another host for the next page of a list', async () => {
    const alice = await chat.instance.join('alice');
    const { id } = await alice.open('bob', 'first');
    await alice.say(id, 'second');
    const { token } = alice.session;
    const response = await chat.instance.get(`//messages/chats?conversation_id=${id}&limit=1`, bearer(token));
    expect(await jsonOf(response, z.array(message))).toMatchObject([{ content: 'second' }]);
    expect(response.headers.get('link')).toMatch(/^<\/messages\/chats\?/);
  });
});
