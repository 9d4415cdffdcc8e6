import { extendedConversation, type Capability } from '@waggle/contracts';
import { once } from 'node:events';
import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import WebSocket from 'ws';
import { z } from 'zod';
import { Connections } from '../../src/realtime/connections';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';

/** More than the chat and the buffers of both kernels hold for a client (about 10 MB). */
const tooManyBytes = 16 * 1024 * 1024;

/** Few enough that clients that read are never far behind. */
const perRound = 20;

/** The n-th of many that are nearly as long as a message may be. */
const textOf = (n: number) => `${n} ${'\u{1F41D}'.repeat(3_990)}`;
const textsAtOnce = Math.ceil(tooManyBytes / Buffer.byteLength(textOf(0)) / perRound) * perRound;

const received = z.object({
  type: z.string(),
  payload: z.looseObject({ conversation_id: z.string().optional(), content: z.string().optional() }),
});

describe('a client that reads slowly, or not at all', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    const slowClients = { connectionBytes: 256 * 1024, instanceBytes: 64 * 1024 * 1024, maxStallMs: 2_000 };
    chat = await ChatUnderTest.start({ realtime: { slowClients } });
  });
  afterAll(() => chat.stop());

  /** A connection that authenticates and then stops reading. */
  const connectStalled = async ({ session }: ChatUser) => {
    const socket = new WebSocket(`${chat.instance.url.replace('http', 'ws')}/ws?token=${session.ws_token}`);
    const frames: z.infer<typeof received>[] = [];
    let pauseAt = Infinity;
    socket.on('message', (data: Buffer) => {
      frames.push(received.parse(JSON.parse(data.toString())));
      if (frames.length >= pauseAt) socket.pause();
    });
    const status = once(socket, 'message');
    await once(socket, 'open');
    socket.send('{"type":"authenticate","payload":{}}');
    await status;
    socket.pause();
    frames.length = 0;
    /** Reads this number of frames, or slightly more. */
    const read = async (count: number) => {
      pauseAt = frames.length + count;
      socket.resume();
      await until(() => frames.length >= pauseAt);
      pauseAt = Infinity;
    };
    return { socket, frames, read };
  };
  /** Writes more than may be unsent to a client; clients that read are never far behind. */
  const flood = async (from: ChatUser, id: string, listener: ChatUser, afterRound = () => Promise.resolve()) => {
    for (let n = 0; n < textsAtOnce; n += perRound) {
      for (let i = 0; i < perRound; i += 1) {
        from.socket.send('chat-message', { conversation_id: id, message: textOf(n + i) });
      }
      await Promise.all([from, listener].map(({ socket }) => socket.nextPayloads('chat-message', perRound)));
      await afterRound();
    }
  };
  const textsOf = (frames: readonly z.infer<typeof received>[], id: string) =>
    frames.flatMap(({ type, payload }) =>
      type === 'chat-message' && payload.conversation_id === id ? [payload.content?.slice(0, 8)] : [],
    );

  // 134,000 pings.
  longTest('receives one pong for many pings while it does not read', async () => {
    const { socket } = await connectStalled(await chat.instance.join('erin'));
    let pongs = 0;
    socket.on('pong', () => (pongs += 1));
    const data = Buffer.alloc(125);
    const pings = Math.ceil(tooManyBytes / data.length);
    for (let sent = 0; sent < pings; sent += 1_000) {
      for (let i = 0; i < 1_000; i += 1) socket.ping(data, undefined, () => undefined);
      while (socket.bufferedAmount > 1_000_000) await new Promise(setImmediate);
    }
    const responses = new Promise<void>((resolve) => {
      socket.on('pong', (payload: Buffer) => {
        if (payload.toString() === 'last') resolve();
      });
    });
    socket.ping('last');
    socket.resume();
    await responses;
    expect(pongs).toBeLessThan(pings);
    socket.terminate();
  });

  it('is closed with 4021 if it reads nothing for too long, and others receive everything', async () => {
    const [alice, bob] = [await chat.instance.join('alice'), await chat.instance.join('bob')];
    const { id } = await alice.open('bob');
    await bob.socket.next('chat-message');
    const { socket, frames } = await connectStalled(bob);
    await flood(alice, id, bob);
    const connections = chat.instance.provided(Connections);
    await until(() => [...connections.ofAccount('bob')].some(({ isOpen }) => !isOpen));

    const closed = once(socket, 'close');
    socket.resume();
    expect((await closed)[0]).toBe(4021);
    const delivered = bob.socket.received('chat-message').slice(1);
    expect(delivered).toHaveLength(textsAtOnce);
    expect(frames.length).toBeLessThan(textsAtOnce);
    // What it did get is the beginning, without a gap.
    expect(frames).toEqual(delivered.slice(0, frames.length).map((payload) => ({ type: 'chat-message', payload })));
    expect(await alice.say(id, 'still here')).toMatchObject({ content: 'still here' });
  });

  // Three clients read 16 MiB; backfill.property.test.ts shows it with a connection in memory.
  longTest('receives events of a friend while others send more than it can read, and finally everything', async () => {
    const [carol, dave, frank] = [
      await chat.instance.join('carol'),
      await chat.instance.join('dave'),
      await chat.instance.join('frank'),
    ];
    const { id: withAttacker } = await carol.open('dave');
    const { id: withFriend } = await frank.open('dave');
    const { socket, frames, read } = await connectStalled(dave);
    await dave.socket.nextPayloads('chat-message', 2);
    // A quarter of what arrives.
    const readSome = () => read(perRound / 4);

    await flood(carol, withAttacker, dave, readSome);
    expect(textsOf(frames, withAttacker).length).toBeLessThan(textsAtOnce / 2);
    await frank.say(withFriend, 'hello');
    while (!textsOf(frames, withFriend).includes('hello')) await readSome();
    expect(textsOf(frames, withAttacker).length).toBeLessThan(textsAtOnce);

    const acknowledge = async (capabilities: Capability[]) => {
      socket.send(JSON.stringify({ type: 'authenticate', payload: { capabilities } }));
      socket.send(JSON.stringify({ type: 'acknowledgment', payload: { conversation_id: withAttacker } }));
      await dave.socket.next('acknowledged');
      const path = `/messages/conversation?id=${withAttacker}&extended=true`;
      return (await dave.getJson(path, extendedConversation)).unread_count;
    };
    const unread = await acknowledge(['sync']);
    expect(unread).toBeGreaterThan(0);
    expect(await acknowledge([])).toBe(0);
    socket.resume();
    const isReply = ({ type }: (typeof frames)[number]) => type === 'acknowledged';
    await until(() => frames.filter(isReply).length === 2, { limitMs: 40_000 });
    // Each reply on the slow connection comes behind the messages that it covers. The kernel may have accepted more
    // before the first reply.
    const before = [frames.findIndex(isReply), frames.findLastIndex(isReply)].map((end) => frames.slice(0, end));
    const [first = 0, second] = before.map((each) => textsOf(each, withAttacker).length);
    expect(first).toBeGreaterThanOrEqual(textsAtOnce - unread);
    expect([first < textsAtOnce, second]).toEqual([true, textsAtOnce]);
    expect(textsOf(frames, withAttacker)).toEqual(Array.from({ length: textsAtOnce }, (_, n) => textOf(n).slice(0, 8)));
    expect(textsOf(frames, withFriend)).toEqual(['hello']);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.terminate();
  });
});
