import { RejectedError, type StoredMessage } from '@waggle/client';
import { Random } from '@waggle/testing';
import { LibraryClient } from './clients/library-client';
import { type Conversation } from './conversations';
import { Load } from './load';
import { SendLog } from './send-log';

const stored: StoredMessage = {
  ...{ id: 'm', conversation_id: 'new', from: 'alice', to: null, content: '', seq: 1, read: false },
  timestamp: '2026-01-01T00:00:00.000Z',
};

/** A client without a connection. */
function clientOf({ pending = 0, error }: { pending?: number; error?: Error } = {}): {
  client: LibraryClient;
  texts: string[];
} {
  const texts: string[] = [];
  const respond = <T>(response: T) => (error === undefined ? Promise.resolve(response) : Promise.reject(error));
  const send = (_id: string, text: string) => {
    texts.push(text);
    return respond(stored);
  };
  const client: LibraryClient = Object.create(LibraryClient.prototype, {
    account: { value: 'alice' },
    pending: { value: pending },
    lastReceived: { value: () => undefined },
    send: { value: send },
    createGroup: { value: () => respond({ message: stored }) },
  });
  return { client, texts };
}

function conversationsOf(client: LibraryClient): Conversation[] {
  return allKinds.map((kind) => ({ id: kind, kind, writers: [client], subscribers: [client] }));
}

const allKinds = ['dm', 'group', 'channel'] as const;

function loadOf(client: LibraryClient, { perSecond = 100 } = {}) {
  const sendLog = new SendLog();
  const conversations = conversationsOf(client);
  return { load: new Load({ clients: [client], conversations, sendLog, perSecond, random: new Random(1) }), sendLog };
}

describe('Load', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('writes at the rate, texts of 1 to 200 characters', async () => {
    const { client, texts } = clientOf();
    const { load } = loadOf(client, { perSecond: 500 });
    load.start();
    await jest.advanceTimersByTimeAsync(10_000);
    load.stop();
    const lengths = texts.map((text) => text.replace(/^[^x]*/, '').length);
    expect([lengths.length, Math.min(...lengths), Math.max(...lengths)]).toEqual([5_000, 1, 200]);
    expect(load.skipped).toEqual({ pendingWriter: 0, busyProcess: 0, noConversation: 0, groups: 0 });
  });

  it('counts what became due while the process was busy, beyond 20 messages', async () => {
    const { client, texts } = clientOf();
    const { load } = loadOf(client);
    load.start();
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_000);
    await jest.advanceTimersByTimeAsync(20);
    now.mockRestore();
    load.stop();
    expect([texts.length, load.skipped.busyProcess]).toEqual([20, 80]);
  });

  it('counts messages and groups that a client with ten pending messages does not write', async () => {
    const { client, texts } = clientOf({ pending: 10 });
    const { load } = loadOf(client);
    load.start();
    await jest.advanceTimersByTimeAsync(3_000);
    load.stop();
    expect([texts.length, load.skipped.pendingWriter, load.skipped.groups]).toEqual([0, 300, 1]);
  });

  it('counts messages to a kind of conversation that the database has lost', async () => {
    const { client, texts } = clientOf();
    const { load } = loadOf(client);
    load.restrictTo(new Set(['dm', 'channel']));
    load.start();
    await jest.advanceTimersByTimeAsync(2_000);
    load.stop();
    expect(load.skipped.noConversation).toBeGreaterThan(0);
    expect(texts.length + load.skipped.noConversation).toBe(200);
  });

  it('adds new groups to its own conversations, not to the given ones', async () => {
    const { client } = clientOf();
    const conversations = conversationsOf(client);
    const options = { clients: [client], sendLog: new SendLog(), perSecond: 1, random: new Random(1) };
    const load = new Load({ ...options, conversations });
    load.start();
    await jest.advanceTimersByTimeAsync(3_000);
    load.stop();
    expect(load.conversations.map(({ id }) => id)).toEqual([...allKinds, 'new']);
    expect(conversations).toHaveLength(3);
  });

  it('records a rejected message as its result, and any other error as a failure', async () => {
    const rejected = loadOf(clientOf({ error: new RejectedError('blocked', '') }).client);
    const failed = loadOf(clientOf({ error: new TypeError('wrong') }).client);
    for (const { load } of [rejected, failed]) load.start();
    await jest.advanceTimersByTimeAsync(20);
    for (const { load } of [rejected, failed]) load.stop();
    expect([rejected.sendLog.count('rejected'), rejected.load.failures]).toEqual([2, []]);
    expect(failed.load.failures).toEqual(Array(2).fill('the load failed: TypeError: wrong'));
  });

  it('cannot be started twice', () => {
    const { load } = loadOf(clientOf().client);
    load.start();
    expect(() => {
      load.start();
    }).toThrow('the load has been started before');
    load.stop();
  });
});
