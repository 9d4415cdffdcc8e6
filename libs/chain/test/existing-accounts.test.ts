import { until } from '@waggle/testing';
import { AccountAuthorities, ExistingAccounts, type ExistingAccountsOptions, HiveClient } from '../src';
import { CountedDevnet } from './counted-devnet';

let chain: CountedDevnet;

beforeAll(async () => {
  chain = await CountedDevnet.start();
});

afterAll(() => chain.stop());

beforeEach(() => {
  chain.countFromHere();
});

afterEach(() => {
  chain.devnet.node.behave();
});

function existingAccounts(options: ExistingAccountsOptions = {}): {
  accounts: ExistingAccounts;
  clock: { ms: number };
} {
  const clock = { ms: 1 };
  return { accounts: new ExistingAccounts(chain.client, { now: () => clock.ms, ...options }), clock };
}

test('finds missing accounts among more than a response can hold', async () => {
  const { accounts } = existingAccounts();
  const invented = Array.from({ length: 248 }, (_, index) => `nobody-${index}`);
  expect(await accounts.findMissing(['alice', ...invented, 'bob'])).toEqual(invented);
  expect(chain.calls()).toBe(3);
});

test('finds missing accounts among many, with one call for all that are not cached', async () => {
  const { accounts } = existingAccounts();
  expect(await accounts.exists('alice')).toBe(true);
  expect(await accounts.findMissing(['alice', 'bob', 'nobody-1', 'No Name!', 'carol'])).toEqual([
    'nobody-1',
    'No Name!',
  ]);
  expect(chain.calls()).toBe(2);
  expect(await accounts.findMissing(['carol', 'nobody-1', 'alice', 'bob'])).toEqual(['nobody-1']);
  expect(await accounts.findMissing(['nobody-1'])).toEqual(['nobody-1']);
  expect(await accounts.findMissing([])).toEqual([]);
  expect(chain.calls()).toBe(2);
});

test('caches for 60 s that an account exists', async () => {
  const { accounts, clock } = existingAccounts();
  await accounts.exists('alice');
  clock.ms += 60_000;
  await accounts.exists('alice');
  expect(chain.calls()).toBe(1);
  clock.ms += 1;
  await accounts.exists('alice');
  expect(chain.calls()).toBe(2);
});

test('caches for a few seconds only that an account is missing', async () => {
  const { accounts, clock } = existingAccounts();
  expect(await accounts.exists('newcomer')).toBe(false);
  chain.devnet.createAccount('newcomer');
  clock.ms += 3_000;
  expect(await accounts.exists('newcomer')).toBe(false);
  expect(chain.calls()).toBe(1);
  clock.ms += 1;
  expect(await accounts.exists('newcomer')).toBe(true);
  expect(chain.calls()).toBe(2);
});

test('a flood of invented names evicts no account that exists', async () => {
  const { accounts } = existingAccounts({ maxAccounts: 2 });
  await accounts.exists('alice');
  for (const account of ['nobody-1', 'nobody-2', 'nobody-3']) await accounts.exists(account);
  await accounts.exists('alice');
  expect(chain.calls()).toBe(4);
});

test.each(['', 'Alice', 'a'.repeat(17), '__proto__'])('requests no account of an invalid name: %j', async (name) => {
  const { accounts } = existingAccounts();
  expect(await accounts.exists(name)).toBe(false);
  expect(await accounts.findMissing([name, name])).toEqual([name, name]);
  expect(chain.calls()).toBe(0);
});

test('concurrent callers share one request', async () => {
  const { accounts } = existingAccounts();
  const results = await Promise.all(Array.from({ length: 50 }, () => accounts.exists('alice')));
  expect(new Set(results)).toEqual(new Set([true]));
  expect(chain.calls()).toBe(1);
});

test('look-ups that hang take no connection from log-ins', async () => {
  const client = new HiveClient({ urls: chain.devnet.urls, maxConnections: 1, timeoutMs: 2_000 });
  try {
    chain.devnet.node.misbehave({ hangs: true });
    const lookUp = new ExistingAccounts(client).findMissing(['alice', 'bob']).catch((error: unknown) => error);
    await until(() => chain.calls() === 1);
    chain.devnet.node.behave();
    expect(await new AccountAuthorities(client).find('alice', 0)).toBeDefined();
    expect(await Promise.race([lookUp, Promise.resolve('hangs')])).toBe('hangs');
  } finally {
    await client.close();
  }
});

test('a node that fails long lists of accounts still takes part in log-ins', async () => {
  const kinds: unknown[] = [];
  const client = new HiveClient({
    urls: chain.devnet.urls,
    onNodeChange: ({ change, kinds: changed }) => kinds.push([change, changed]),
  });
  try {
    chain.devnet.node.misbehave({ wrong: 503 });
    await expect(new ExistingAccounts(client).findMissing(['alice', 'bob'])).rejects.toThrow('503');
    expect(kinds).toEqual([['ejected', ['account list']]]);
  } finally {
    await client.close();
  }
});
