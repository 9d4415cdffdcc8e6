import { Devnet, devnetKeys } from '@waggle/devnet';
import { parsePublicKey } from '@waggle/signatures';
import {
  AccountAuthorities,
  AccountSignatures,
  ExistingAccounts,
  HiveClient,
  HiveNodesUnavailableError,
  type NodeChange,
} from '../src';
import { signedByKeyA } from './signed';

let chain: Devnet;
let client: HiveClient;
let changes: NodeChange[];

beforeAll(async () => {
  chain = await Devnet.start({ nodes: 3 });
});

afterAll(() => chain.stop());

const authority = { weight_threshold: 1, account_auths: [], key_auths: [[signedByKeyA.publicKey, 1]] };
/** Alice, with the attacker's key. */
const attackersAccount = { name: 'alice', owner: authority, active: authority, posting: authority };

beforeEach(() => {
  changes = [];
  client = clientOf(chain.urls);
  // One node claims that alice has the attacker's key. Calls prefer it, since it is the fastest.
  const [liar, ...honest] = chain.nodes;
  liar?.misbehave({
    distort: ({ method }, value) =>
      method === 'database_api.find_accounts' ? { accounts: [attackersAccount] } : value,
  });
  for (const node of honest) node.misbehave({ slowMs: 20 });
});

afterEach(() => client.close());

function clientOf(urls: readonly string[]): HiveClient {
  return new HiveClient({ urls, onNodeChange: (change) => changes.push(change) });
}

const { text, signature } = signedByKeyA;
const attack = { account: 'alice', text, signature, roles: ['posting'] as const };
/** By the true key. */
const logIn = {
  account: 'alice',
  publicKey: keyOf(devnetKeys('alice').posting.publicKey),
  roles: ['posting'] as const,
};

function keyOf(encoded: string): Uint8Array {
  const key = parsePublicKey(encoded);
  if (key === undefined) throw new Error('not a key');
  return key;
}

/** Without cached authorities, as for another account or after a few seconds. */
const signatures = (): AccountSignatures => new AccountSignatures(new AccountAuthorities(client));

test('one lying node of three lets no one log in as the account of another, and is reported', async () => {
  const accepted = [];
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const verdict = await signatures().verify(attack);
    if (verdict.valid) accepted.push(attempt);
  }
  expect(accepted).toHaveLength(0);
  expect(await signatures().verifyKey(logIn)).toMatchObject({ valid: true });
  expect(changes).toContainEqual({
    node: chain.nodes[0]?.url.replace('http://', ''),
    change: 'ejected',
    kinds: ['vote'],
    reason: 'mismatch (most nodes return another result)',
  });
});

test('a look-up of several accounts, which one node answers, provides no keys for log-ins', async () => {
  const authorities = new AccountAuthorities(client);
  for (let lookUp = 0; lookUp < 5; lookUp += 1) await new ExistingAccounts(client).findMissing(['alice', 'bob']);
  expect(await new AccountSignatures(authorities).verify(attack)).toMatchObject({ valid: false });
});

test('a majority is not slowed down by a slow node, and not stopped by one that is down', async () => {
  chain.nodes[0]?.misbehave({ hangs: true });
  const startMs = performance.now();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect(await signatures().verifyKey(logIn)).toMatchObject({ valid: true });
  }
  expect(performance.now() - startMs).toBeLessThan(2_000);
  await chain.nodes[0]?.kill();
  expect(await signatures().verifyKey(logIn)).toMatchObject({ valid: true });
  await chain.nodes[0]?.revive();
});

test('an ejected node is called if the others do not decide', async () => {
  chain.nodes[0]?.behave();
  chain.nodes[1]?.misbehave({ wrong: 503 });
  expect(await signatures().verifyKey(logIn)).toMatchObject({ valid: true });
  expect(changes).toContainEqual(expect.objectContaining({ change: 'ejected', reason: 'http-status (503)' }));
  chain.nodes[1]?.behave();
  chain.nodes[2]?.misbehave({ hangs: true });
  expect(await signatures().verifyKey(logIn)).toMatchObject({ valid: true });
});

test('a node that is configured twice has one vote', async () => {
  const [liar = '', honest = ''] = chain.urls;
  await client.close();
  client = clientOf([liar, `${liar}/`, honest]);
  await expect(signatures().verify(attack)).rejects.toThrow(HiveNodesUnavailableError);
});

test('two nodes have to agree, and one decides alone', async () => {
  const [liar = '', honest = ''] = chain.urls;
  await client.close();
  client = clientOf([liar, honest]);
  const error: unknown = await signatures()
    .verify(attack)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HiveNodesUnavailableError);
  expect(error).toMatchObject({ failures: [{ kind: 'mismatch' }, { kind: 'mismatch' }] });
  chain.nodes[0]?.behave();
  expect(await signatures().verifyKey(logIn)).toMatchObject({ valid: true });
  chain.nodes[0]?.misbehave({ wrong: 503 });
  await expect(signatures().verifyKey(logIn)).rejects.toThrow(HiveNodesUnavailableError);

  await client.close();
  client = clientOf([honest]);
  expect(await signatures().verifyKey(logIn)).toMatchObject({ valid: true });
});

test('nodes agree although they order the fields of an account differently, and add some', async () => {
  chain.nodes[0]?.misbehave({
    distort: ({ method }, value) => (method === 'database_api.find_accounts' ? reordered(value) : value),
  });
  const [one = '', other = ''] = chain.urls;
  await client.close();
  client = clientOf([one, other]);
  expect(await signatures().verifyKey(logIn)).toMatchObject({ valid: true });
});

/** The same JSON with the keys of each object in reverse, after a further one. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, reordered(member)] as const);
  return Object.fromEntries([['added', 1], ...entries.reverse()]);
}

test('a key change that reaches one node after the other stops no log-in', async () => {
  const hasNewKey = new Set<number>();
  for (const [index, node] of chain.nodes.entries()) {
    const distort = ({ method }: { method: string }, value: unknown) =>
      method === 'database_api.find_accounts' && hasNewKey.has(index) ? { accounts: [attackersAccount] } : value;
    node.misbehave({ distort });
  }
  const isValid = async () => [
    (await signatures().verifyKey(logIn)).valid,
    (await signatures().verifyKey({ ...logIn, publicKey: keyOf(signedByKeyA.publicKey) })).valid,
  ];
  hasNewKey.add(0);
  expect(await isValid()).toEqual([true, false]);
  hasNewKey.add(1);
  // The first node was outvoted, and the other two disagree.
  expect(await isValid()).toEqual([false, true]);
  hasNewKey.add(2);
  expect(await isValid()).toEqual([false, true]);
});

test('log-ins that wait for nodes that do not respond are limited in number', async () => {
  await client.close();
  client = new HiveClient({ urls: chain.urls, maxConnections: 1, maxQueued: 2 });
  for (const node of chain.nodes) node.misbehave({ hangs: true });
  const authorities = new AccountAuthorities(client);
  const errors = ['alice', 'bob', 'carol', 'dave'].map((account) =>
    authorities.find(account, 0).catch((error: unknown) => error),
  );
  expect(await Promise.race(errors)).toMatchObject({
    failures: [{ kind: 'overloaded' }, { kind: 'overloaded' }, { kind: 'not-tried' }],
  });
  await client.close();
  await Promise.all(errors);
});
