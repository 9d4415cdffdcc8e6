import { SharedRequests } from './shared-requests';

interface Pending {
  readonly key: string;
  readonly end: (result: string) => void;
  readonly fail: (error: Error) => void;
}

/** Requests that the test ends. */
function requests(): { shared: SharedRequests<string>; started: Pending[] } {
  const started: Pending[] = [];
  const shared = new SharedRequests<string>((key) => new Promise((end, fail) => started.push({ key, end, fail })));
  return { shared, started };
}

/** Runs pending promise callbacks. */
const settle = (): Promise<void> => new Promise(setImmediate);

test('callers share a request in flight', async () => {
  const { shared, started } = requests();
  const results = Promise.all([shared.join('a'), shared.join('a'), shared.join('b')]);
  expect(started.map(({ key }) => key)).toEqual(['a', 'b']);
  started[1]?.end('of b');
  started[0]?.end('of a');
  expect(await results).toEqual(['of a', 'of a', 'of b']);
});

test('a request that has ended is not reused', async () => {
  const { shared, started } = requests();
  const first = shared.join('a');
  started[0]?.end('first');
  await first;
  const second = shared.join('a');
  expect(started).toHaveLength(2);
  started[1]?.end('second');
  expect(await second).toBe('second');
});

test('begin waits for the request in flight, and callers share the next one', async () => {
  const { shared, started } = requests();
  const joined = shared.join('a');
  const later = [shared.begin('a'), shared.begin('a')];
  const alsoJoined = shared.join('a');
  expect(started).toHaveLength(1);
  started[0]?.end('old');
  expect(await joined).toBe('old');
  expect(await alsoJoined).toBe('old');
  await settle();
  expect(started).toHaveLength(2);

  // The second has begun by now, so it is too early for this one.
  later.push(shared.begin('a'));
  started[1]?.end('new');
  await settle();
  started[2]?.end('newest');
  expect(await Promise.all(later)).toEqual(['new', 'new', 'newest']);
  expect(started).toHaveLength(3);
});

test('a new request begins at once if none is in flight', () => {
  const { shared, started } = requests();
  void shared.begin('a');
  expect(started).toHaveLength(1);
});

test('a failure rejects only its own callers, and the next request is still sent', async () => {
  const { shared, started } = requests();
  const joined = shared.join('a');
  const later = shared.begin('a');
  started[0]?.fail(new Error('no'));
  await expect(joined).rejects.toThrow('no');
  await settle();
  started[1]?.end('yes');
  expect(await later).toBe('yes');

  const afterwards = shared.join('a');
  expect(started).toHaveLength(3);
  started[2]?.fail(new Error('no more'));
  await expect(afterwards).rejects.toThrow('no more');
  void shared.join('a');
  expect(started).toHaveLength(4);
});

test('there is at most one request in flight', async () => {
  const { shared, started } = requests();
  const results = [shared.join('a'), shared.begin('a')];
  started[0]?.end('first');
  // The next begins within the next few microtasks, and there is no gap before it.
  for (let turn = 0; turn < 10; turn += 1) {
    await Promise.resolve();
    results.push(shared.join('a'));
    expect(started.length).toBeLessThanOrEqual(2);
  }
  expect(started).toHaveLength(2);
  started[1]?.end('second');
  await Promise.all(results);
});
