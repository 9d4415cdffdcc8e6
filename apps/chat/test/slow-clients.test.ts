import { once } from 'node:events';
import WebSocket from 'ws';
import { type ChatUser } from './chat-client';
import { ChatUnderTest } from './chat-under-test';

/** More than 4 MiB, which the chat keeps for a client, and what the buffers of both kernels take (some 10 MB). */
const tooManyBytes = 20 * 1024 * 1024;

/** Few enough that those who do read are never behind by much. */
const perRound = 20;

describe('a client that does not read', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterAll(() => chat.stop());

  /** Authenticated, and from then on deaf. */
  const connectDeaf = async ({ session }: ChatUser) => {
    const socket = new WebSocket(`${chat.instance.url.replace('http', 'ws')}/ws?token=${session.ws_token}`);
    const received: string[] = [];
    socket.on('message', (data: Buffer) => received.push(data.toString()));
    const status = once(socket, 'message');
    await once(socket, 'open');
    socket.send('{"type":"authenticate","payload":{}}');
    await status;
    socket.pause();
    received.length = 0;
    const hearOn = async () => {
      const closed = once(socket, 'close');
      socket.resume();
      const [code]: unknown[] = await closed;
      return { code, received };
    };
    return { socket, hearOn };
  };

  it('is closed with 4021 when its pings are not worth the memory of the pongs', async () => {
    const { socket, hearOn } = await connectDeaf(await chat.instance.join('erin'));
    let pongs = 0;
    socket.on('pong', () => (pongs += 1));
    const data = Buffer.alloc(125);
    const pings = Math.ceil(tooManyBytes / data.length);
    for (let sent = 0; sent < pings; sent += 1_000) {
      for (let i = 0; i < 1_000; i += 1) socket.ping(data, undefined, () => undefined);
      while (socket.bufferedAmount > 1_000_000) await new Promise(setImmediate);
    }
    expect((await hearOn()).code).toBe(4021);
    expect(pongs).toBeGreaterThan(0);
    expect(pongs).toBeLessThan(pings);
  }, 60_000);

  it('is closed with 4021 when it is sent more than it may owe us, and the others hear everything', async () => {
    const alice = await chat.instance.join('alice');
    const bob = await chat.instance.join('bob');
    const { id } = await alice.open('bob');
    const { hearOn } = await connectDeaf(bob);
    const text = '\u{1F41D}'.repeat(4_000);
    const rounds = Math.ceil(tooManyBytes / Buffer.byteLength(text) / perRound);
    const sent = rounds * perRound;
    await bob.socket.next('chat-message');
    for (let round = 0; round < rounds; round += 1) {
      for (let n = 0; n < perRound; n += 1) {
        alice.socket.send('chat-message', { conversation_id: id, message: text });
      }
      await Promise.all([alice, bob].map(({ socket }) => socket.nextPayloads('chat-message', perRound)));
    }

    const { code, received } = await hearOn();
    expect(code).toBe(4021);
    const told = bob.socket.received('chat-message').slice(1);
    expect(told).toHaveLength(sent);
    expect(received.length).toBeLessThan(sent);
    // What it did get is the beginning, without a gap.
    const heard = received.map((frame) => JSON.parse(frame) as unknown);
    expect(heard).toEqual(told.slice(0, received.length).map((payload) => ({ type: 'chat-message', payload })));
    expect(await alice.say(id, 'still here')).toMatchObject({ content: 'still here' });
  }, 60_000);
});
