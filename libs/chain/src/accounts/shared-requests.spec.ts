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

test('a failure rejects its own callers only', async () => {
  const { shared, started } = requests();
  const joined = shared.join('a');
  started[0]?.fail(new Error('no'));
  await expect(joined).rejects.toThrow('no');
  const afterwards = shared.join('a');
  started[1]?.end('yes');
  expect(await afterwards).toBe('yes');
});
