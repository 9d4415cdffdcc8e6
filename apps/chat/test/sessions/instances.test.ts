import { ChatUnderTest, type ChatInstance } from '../support/chat-under-test';
import { loginPath } from '../support/login-path';

describe('two instances with the same settings', () => {
  let chat: ChatUnderTest;
  let here: ChatInstance;
  let there: ChatInstance;
  beforeAll(async () => {
    chat = await ChatUnderTest.startWithRedis();
    here = chat.instance;
    there = await chat.addInstance();
  });
  afterAll(() => chat.stop());

  it("accept one another's tokens", async () => {
    const { token, ws_token, refresh_token } = await here.logIn('alice');
    expect((await there.get('/users/verify', { Authorization: token })).status).toBe(200);
    expect((await there.get('/users/refresh-token', { Authorization: refresh_token })).status).toBe(200);
    await there.connect(ws_token);
  });

  it('reject a logged-out session within a second, and close its sockets', async () => {
    let fastestMs = Infinity;
    // Repeated only if the machine was busy.
    for (let round = 0; round < 5 && fastestMs >= 1_000; round += 1) {
      const { token, ws_token } = await here.logIn('alice');
      const socket = await there.connect(ws_token);
      const startedAtMs = performance.now();
      expect((await here.get('/users/logout', { Authorization: token })).status).toBe(204);
      expect((await there.get('/users/verify', { Authorization: token })).status).toBe(401);
      expect((await socket.closed).code).toBe(4020);
      fastestMs = Math.min(fastestMs, performance.now() - startedAtMs);
    }
    expect(fastestMs).toBeLessThan(1_000);
  });

  it('accept a proof once, for any number of concurrent uses at both', async () => {
    for (let round = 0; round < 20; round += 1) {
      const path = loginPath('bob');
      const statuses = await Promise.all(
        [here, there, here, there].map(async (instance) => (await instance.get(path)).status),
      );
      expect(statuses.sort()).toEqual([200, 401, 401, 401]);
    }
  });
});
