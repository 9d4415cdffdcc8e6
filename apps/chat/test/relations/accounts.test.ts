import { accountExistence } from '@waggle/contracts';
import { bearer, type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';

describe('an account', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    alice = await chat.instance.join('alice');
  });
  afterAll(() => chat.stop());

  const statusOf = async (query: string, headers = bearer(alice.session.token)) =>
    (await chat.instance.get(`/users/account${query}`, headers)).status;

  row('GET /users/account', 'exists or not', async () => {
    for (const [username, exists] of [
      ['bob', true],
      ['nobody-here', false],
    ] as const) {
      const found = await alice.getJson(`/users/account?username=${username}`, accountExistence);
      expect(found).toEqual({ username, exists });
    }
  });

  row('GET /users/account', 'is looked up by a valid name, for an account that is logged in', async () => {
    expect(await statusOf('?username=Bob!')).toBe(400);
    expect(await statusOf('')).toBe(400);
    expect(await statusOf('?username=bob', {})).toBe(401);
  });

  row('GET /users/account', 'is unknown while no Hive node responds', async () => {
    chat.devnet.node.misbehave({ wrong: 503 });
    expect(await statusOf('?username=carol')).toBe(503);
    chat.devnet.node.behave();
  });
});
