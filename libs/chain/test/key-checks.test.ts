import { setTimeout as pause } from 'node:timers/promises';
import { parsePublicKey } from '@waggle/signatures';
import { AccountAuthorities, AccountSignatures, HiveClient, type KeyCheckResult, KeyChecks } from '../src';
import { ApiNode, result } from './api-node';
import { signedByKeyA, signedByKeyB } from './signed';

let node: ApiNode;
let client: HiveClient;
let results: KeyCheckResult[];
let checks: KeyChecks;

beforeEach(async () => {
  node = await ApiNode.start();
  results = [];
  useNodes([node.url]);
});

function useNodes(urls: readonly string[]): void {
  client = new HiveClient({ urls });
  checks = new KeyChecks(new AccountSignatures(new AccountAuthorities(client)), {
    roles: ['posting'],
    confirmationMs: 300_000,
    graceMs: 3_600_000,
    onResult: (each) => results.push(each),
    onFailure: () => undefined,
  });
}

afterEach(async () => {
  await client.close();
  await node.stop();
});

/** Accounts that have this key, and how long the node takes for each, in milliseconds. */
function respondAfter(delayMs: Readonly<Record<string, number>>, { publicKey } = signedByKeyA, by = node): void {
  by.fault = (request, response) => {
    const params = JSON.stringify(request.params);
    const [name = '', ms = 0] = Object.entries(delayMs).find(([account]) => params.includes(account)) ?? [];
    const authority = { weight_threshold: 1, account_auths: [], key_auths: [[publicKey, 1]] };
    const respond = result(
      name === '' ? by.head : { accounts: [{ name, owner: authority, active: authority, posting: authority }] },
    );
    void pause(ms, undefined, { ref: false }).then(() => {
      respond(request, response);
    });
  };
}

/** Checks a session that was last confirmed six minutes ago. */
function check(account: string, { publicKey } = signedByKeyA) {
  const signingKey = parsePublicKey(publicKey);
  if (signingKey === undefined) throw new Error('not a key');
  return checks.check({ account, signingKey, keyConfirmedMsAgo: 360_000 });
}

test('a node that takes two seconds confirms a key, and reports a changed one', async () => {
  respondAfter({ alice: 2_100, bob: 2_100 });
  expect(await Promise.all([check('alice'), check('bob', signedByKeyB)])).toEqual(['confirmed', 'changed']);
});

test('a check that takes too long does not postpone others while the node responds to them', async () => {
  respondAfter({ alice: 4_600, bob: 600, carol: 0 });
  const slow = check('alice');
  await pause(3_800);
  const other = check('bob');
  expect(await slow).toBe('good');
  expect(await check('carol')).toBe('good');
  expect(await other).toBe('confirmed');
  expect(await check('carol')).toBe('confirmed');
  expect(results).toEqual(['unknown', 'unknown', 'suffices', 'suffices']);
});

test('an account for which the nodes disagree does not postpone checks of others', async () => {
  const other = await ApiNode.start();
  try {
    await client.close();
    useNodes([node.url, other.url]);
    respondAfter({ alice: 0, bob: 0 });
    respondAfter({ alice: 0 }, signedByKeyB, other);
    expect(await check('alice')).toBe('good');
    respondAfter({ alice: 0, bob: 0 }, signedByKeyA, other);
    expect(await check('bob')).toBe('confirmed');
    expect(results).toEqual(['unknown', 'suffices']);
  } finally {
    await other.stop();
  }
});
