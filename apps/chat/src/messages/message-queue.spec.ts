import { type Acknowledged, type Acknowledgment } from './acknowledge';
import { MessageQueue } from './message-queue';
import { type NewMessage, type Stored, type Written } from './new-message';
import { OwnCommits } from './own-commits';
import { type MessageStorage } from './storing';

const message = (id: string, conversationId = 'c'): NewMessage => ({
  id,
  conversationId,
  sender: 'alice',
  content: id,
  clientId: null,
});

/** A store whose statements end when the test says so. */
class HeldStore implements MessageStorage {
  readonly arrivals: { id: string; end: (stored: Stored) => void; fail: (error: Error) => void }[] = [];
  readonly batches: { ids: string[]; succeed: (written?: Written[]) => void; fail: (error: Error) => void }[] = [];

  write(messages: readonly NewMessage[]): Promise<Written[]> {
    return new Promise((resolve, reject) => {
      this.batches.push({
        ids: messages.map(({ id }) => id),
        succeed: (written = messages.map(() => ({ outcome: 'not-found' }))) => {
          resolve(written);
        },
        fail: reject,
      });
    });
  }

  bringIn({ id }: NewMessage): Promise<Stored> {
    return new Promise((resolve, reject) => {
      this.arrivals.push({ id, end: resolve, fail: reject });
    });
  }

  acknowledge(acknowledgments: readonly Acknowledgment[]): Promise<Acknowledged[]> {
    return new Promise((resolve, reject) => {
      this.batches.push({
        ids: acknowledgments.map(({ account }) => `read by ${account}`),
        succeed: () => {
          const theirs = acknowledgments.filter(({ account }) => account !== 'stranger');
          resolve(theirs.map((each) => ({ ...each, seq: 1, reader: null })));
        },
        fail: reject,
      });
    });
  }
}

describe('MessageQueue', () => {
  let store: HeldStore;
  let commits: OwnCommits;
  let queue: MessageQueue;
  beforeEach(() => {
    store = new HeldStore();
    commits = new OwnCommits();
    queue = new MessageQueue(store, commits);
  });
  const turn = () => new Promise(setImmediate);

  it('sends a lone message at once, and all that wait in one statement after it', async () => {
    const results = ['a', 'b', 'c'].map((id) => queue.write(message(id)));
    await turn();
    expect(store.batches.map(({ ids }) => ids)).toEqual([['a']]);
    store.batches[0]?.succeed();
    await turn();
    expect(store.batches.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c']]);
    store.batches[1]?.succeed();
    await Promise.all(results);
  });

  it('sends two statements at once, of different conversations', async () => {
    const results = [
      message('a'),
      message('b'),
      message('x', 'other'),
      message('y', 'other'),
      message('z', 'third'),
    ].map((each) => queue.write(each));
    await turn();
    expect(store.batches.map(({ ids }) => ids)).toEqual([['a'], ['x']]);
    store.batches[1]?.succeed();
    await turn();
    expect(store.batches.map(({ ids }) => ids)).toEqual([['a'], ['x'], ['y', 'z']]);
    store.batches[0]?.succeed();
    await turn();
    expect(store.batches.map(({ ids }) => ids)).toEqual([['a'], ['x'], ['y', 'z'], ['b']]);
    for (const batch of store.batches) batch.succeed();
    await Promise.all(results);
  });

  it('tells of one batch while the next is stored, and in that order', async () => {
    const told: string[] = [];
    for (const id of ['a', 'b', 'c']) void queue.write(message(id)).then(() => told.push(id));
    await turn();
    store.batches[0]?.succeed();
    await turn();
    expect(store.batches).toHaveLength(2);
    await turn();
    expect(told).toEqual(['a']);
    store.batches[1]?.succeed();
    await turn();
    expect(told).toEqual(['a', 'b', 'c']);
  });

  it('brings in those who arrive beside the lanes, in order, and before what waits for their conversation', async () => {
    const told: string[] = [];
    const tell = (id: string, conversation?: string) =>
      queue.write(message(id, conversation)).then(
        ({ outcome }) => told.push(`${id} ${outcome}`),
        (error: unknown) => told.push(`${id} ${String(error)}`),
      );
    void tell('a');
    for (const id of ['b', 'c']) void tell(id);
    void tell('x', 'other');
    await turn();
    store.batches[0]?.succeed();
    await turn();
    void tell('d');
    store.batches[1]?.succeed();
    // Those of the same conversation, judged together.
    store.batches[2]?.succeed([{ outcome: 'arrives' }, { outcome: 'arrives' }]);
    await turn();
    void tell('y', 'third');
    await turn();
    store.batches[3]?.succeed();
    await turn();
    await turn();
    expect(store.batches.map(({ ids }) => ids)).toEqual([['a'], ['x'], ['b', 'c'], ['y']]);
    expect(store.arrivals.map(({ id }) => id)).toEqual(['b']);
    expect(told).toEqual(['a not-found', 'x not-found', 'y not-found']);
    store.arrivals[0]?.end({ outcome: 'kept-out' });
    await turn();
    store.arrivals[1]?.fail(new Error('gone'));
    await turn();
    store.batches[4]?.succeed();
    await turn();
    expect(told.slice(3)).toEqual(['b kept-out', 'c Error: gone', 'd not-found']);
  });

  it('refuses those alone that could not be stored', async () => {
    const first = queue.write(message('a'));
    const [b, c] = [queue.write(message('b')), queue.write(message('c'))];
    await turn();
    store.batches[0]?.succeed();
    await turn();
    const fault = new Error('invalid');
    store.batches[1]?.succeed([{ outcome: 'failed', error: fault }, { outcome: 'not-found' }]);
    await expect(b).rejects.toBe(fault);
    expect(await Promise.all([first, c])).toEqual([{ outcome: 'not-found' }, { outcome: 'not-found' }]);
  });

  it('refuses the whole batch after any other fault', async () => {
    void queue.write(message('a'));
    const rest = [queue.write(message('b')), queue.write(message('c'))];
    await turn();
    store.batches[0]?.succeed();
    await turn();
    const fault = Object.assign(new Error('canceled'), { code: '57014' });
    store.batches[1]?.fail(fault);
    expect(await Promise.allSettled(rest)).toEqual(rest.map(() => ({ status: 'rejected', reason: fault })));
    expect(store.batches).toHaveLength(2);
  });

  it('stores acknowledgments in one statement, ahead of the messages that wait beside them', async () => {
    const done: string[] = [];
    const acknowledge = (account: string) =>
      queue
        .acknowledge({ conversationId: 'c', account })
        .then((theirs) => done.push(`${account} ${theirs !== undefined}`));
    void queue.write(message('a'));
    void queue.write(message('b')).then(() => done.push('b'));
    void acknowledge('alice');
    void acknowledge('stranger');
    await turn();
    for (let batch = 0; batch < 3; batch += 1) {
      store.batches[batch]?.succeed();
      await turn();
    }
    expect(store.batches.map(({ ids }) => ids)).toEqual([['a'], ['read by alice', 'read by stranger'], ['b']]);
    expect(done).toEqual(['alice true', 'stranger false', 'b']);
  });

  it('refuses what would have to wait behind too many', async () => {
    const waiting = Array.from({ length: 10_001 }, (_, i) => queue.write(message(String(i))));
    await expect(queue.write(message('one too many'))).rejects.toMatchObject({
      code: 'unavailable',
      details: { retryAfterMs: 1_000 },
    });
    for (let batch = 0; batch < 21; batch += 1) {
      await turn();
      store.batches[batch]?.succeed();
    }
    await Promise.all(waiting);
  });

  it('refuses what has waited too long, and does not begin it', async () => {
    const now = jest.spyOn(performance, 'now');
    try {
      now.mockReturnValue(0);
      const first = queue.write(message('a'));
      const late = [queue.write(message('b')), queue.acknowledge({ conversationId: 'c', account: 'alice' })];
      await turn();
      now.mockReturnValue(5_001);
      const inTime = queue.write(message('c'));
      store.batches[0]?.succeed();
      await first;
      for (const each of late) await expect(each).rejects.toMatchObject({ code: 'unavailable' });
      await turn();
      expect(store.batches.map(({ ids }) => ids)).toEqual([['a'], ['c']]);
      store.batches[1]?.succeed();
      await inTime;
    } finally {
      now.mockRestore();
    }
  });

  it('stores what was accepted before the database is closed', async () => {
    void queue.write(message('a'));
    void queue.write(message('b'));
    let closed = false;
    const closing = commits.beforeApplicationShutdown().then(() => (closed = true));
    await turn();
    for (const batch of [0, 1]) {
      await turn();
      expect(closed).toBe(false);
      store.batches[batch]?.succeed();
    }
    await closing;
  });
});
