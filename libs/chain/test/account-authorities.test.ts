import { formatPublicKey } from '@waggle/signatures';
import { devnetKeys } from '@waggle/devnet';
import { AccountAuthorities, type AccountAuthoritiesOptions, HiveClient, HiveNodesUnavailableError } from '../src';
import { ApiNode, result } from './api-node';
import { CountedDevnet } from './counted-devnet';
import { signedByKeyA, signedByKeyB } from './signed';

let chain: CountedDevnet;

beforeAll(async () => {
  chain = await CountedDevnet.start();
});

afterAll(() => chain.stop());

beforeEach(() => {
  chain.devnet.node.behave();
  chain.countFromHere();
});

function authoritiesOf(options: AccountAuthoritiesOptions = {}): {
  authorities: AccountAuthorities;
  clock: { ms: number };
} {
  const clock = { ms: 1 };
  return { authorities: new AccountAuthorities(chain.client, { now: () => clock.ms, ...options }), clock };
}

/** The posting keys as text. */
async function postingKeys(
  authorities: AccountAuthorities,
  account: string,
  sinceMs: number,
): Promise<string[] | undefined> {
  return (await authorities.find(account, sinceMs))?.posting.keyAuths.map(({ key }) => formatPublicKey(key));
}

test('returns the keys of all levels as bytes', async () => {
  const { authorities } = authoritiesOf();
  const found = await authorities.find('alice', 0);
  const keys = devnetKeys('alice');
  for (const role of ['posting', 'active', 'owner'] as const) {
    expect(found?.[role]).toEqual({
      weightThreshold: 1,
      accountAuths: [],
      keyAuths: [{ key: expect.any(Uint8Array), weight: 1 }],
    });
    expect(found?.[role].keyAuths.map(({ key }) => formatPublicKey(key))).toEqual([keys[role].publicKey]);
  }
});

describe('a cached authority', () => {
  test('is used if it is new enough for the caller', async () => {
    const { authorities, clock } = authoritiesOf();
    const before = await postingKeys(authorities, 'bob', 0);
    chain.devnet.changeKey('bob', 'posting', signedByKeyA.publicKey);
    clock.ms += 60_000;
    expect(await postingKeys(authorities, 'bob', 1)).toEqual(before);
    expect(chain.calls()).toBe(1);
    const newer = await Promise.all(Array.from({ length: 50 }, () => postingKeys(authorities, 'bob', 2)));
    expect(new Set(newer.flat())).toEqual(new Set([signedByKeyA.publicKey]));
    expect(await postingKeys(authorities, 'bob', 0)).toEqual([signedByKeyA.publicKey]);
    expect(chain.calls()).toBe(2);
  });

  test('is evicted when too many others are cached', async () => {
    const { authorities } = authoritiesOf({ maxAccounts: 2 });
    for (const account of ['alice', 'bob', 'carol', 'carol', 'bob', 'alice']) await authorities.find(account, 0);
    expect(chain.calls()).toBe(4);
  });
});

describe('an account that does not exist', () => {
  test('is undefined, which is cached like authorities', async () => {
    const { authorities, clock } = authoritiesOf();
    expect(await authorities.find('latecomer', 0)).toBeUndefined();
    chain.devnet.createAccount('latecomer');
    expect(await authorities.find('latecomer', 1)).toBeUndefined();
    expect(chain.calls()).toBe(1);
    clock.ms += 1;
    expect(await authorities.find('latecomer', 2)).toBeDefined();
    expect(await authorities.find('latecomer', 0)).toBeDefined();
    expect(chain.calls()).toBe(2);
  });

  test('is not cached as missing once it exists, even after its entry was evicted', async () => {
    const { authorities, clock } = authoritiesOf({ maxAccounts: 1 });
    await authorities.find('straggler', 0);
    chain.devnet.createAccount('straggler');
    clock.ms += 1;
    await authorities.find('straggler', 2);
    await authorities.find('alice', 0);
    expect(await authorities.find('straggler', 0)).toBeDefined();
  });

  test('evicts no account that exists', async () => {
    const { authorities } = authoritiesOf({ maxAccounts: 2 });
    await authorities.find('alice', 0);
    for (const account of ['nobody-1', 'nobody-2', 'nobody-3']) await authorities.find(account, 0);
    await authorities.find('alice', 0);
    expect(chain.calls()).toBe(4);
  });

  test.each(['', 'Alice', 'alice ', 'a'.repeat(17), 'älice', 'alice\0', '__proto__'])(
    'is not requested if its name is invalid: %j',
    async (name) => {
      const { authorities } = authoritiesOf();
      expect(await authorities.find(name, 0)).toBeUndefined();
      expect(chain.calls()).toBe(0);
    },
  );
});

describe('concurrent callers', () => {
  test('share one request', async () => {
    const { authorities } = authoritiesOf();
    const results = await Promise.all(Array.from({ length: 50 }, () => authorities.find('alice', 0)));
    expect(new Set(results).size).toBe(1);
    expect(chain.calls()).toBe(1);
  });

  test('share the next request if the current one was sent earlier than they accept', async () => {
    const { authorities, clock } = authoritiesOf();
    const early = authorities.find('alice', 0);
    clock.ms += 1;
    const late = Promise.all(Array.from({ length: 50 }, () => authorities.find('alice', 2)));
    const results = new Set(await late);
    expect(results.size).toBe(1);
    expect(results).not.toContain(await early);
    expect(chain.calls()).toBe(2);
  });

  test('share the failure, which is not cached', async () => {
    const { authorities } = authoritiesOf();
    chain.devnet.node.misbehave({ wrong: 503 });
    const errors = await Promise.all(
      Array.from({ length: 10 }, () => authorities.find('alice', 0).catch((error: unknown) => error)),
    );
    expect(errors.every((error) => error instanceof HiveNodesUnavailableError)).toBe(true);
    chain.devnet.node.behave();
    expect(await authorities.find('alice', 0)).toBeDefined();
  });
});

test('an authority is read although some of its keys are malformed or burnt', async () => {
  const authority = (...keys: string[]): object => ({
    weight_threshold: 1,
    account_auths: [['bob', 1]],
    key_auths: keys.map((key) => [key, 1]),
  });
  const testnetKey = signedByKeyB.publicKey.replace('STM', 'TST');
  const posting = authority(
    '',
    'STM',
    'STM1111111111111111111111111111111114T1Anm',
    testnetKey,
    signedByKeyA.publicKey,
  );
  const node = await ApiNode.start();
  node.fault = result({ accounts: [{ id: 1, name: 'alice', posting, active: posting, owner: authority(), more: {} }] });
  const own = new HiveClient({ urls: [node.url] });
  try {
    const found = await new AccountAuthorities(own).find('alice', 0);
    expect(found?.posting.keyAuths.map(({ key }) => formatPublicKey(key))).toEqual([signedByKeyA.publicKey]);
    expect(found?.posting.accountAuths).toEqual([{ account: 'bob', weight: 1 }]);
    expect(found?.owner.keyAuths).toEqual([]);
    // The node returns alice for every name.
    expect(await new AccountAuthorities(own).find('carol', 0)).toBeUndefined();
  } finally {
    await own.close();
    await node.stop();
  }
});
