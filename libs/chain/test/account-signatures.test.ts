import { parsePublicKey } from '@waggle/signatures';
import { devnetKeys } from '@waggle/devnet';
import { AccountAuthorities, AccountSignatures, HiveNodesUnavailableError, type Role, type Verdict } from '../src';
import { CountedDevnet } from './counted-devnet';
import { type Signed, signedByKeyA, signedByKeyB, signedByKeyC } from './signed';

let chain: CountedDevnet;
/** Each test has two accounts of its own, with the keys of the devnet. */
let alice: string;
let bob: string;
let tests = 0;

beforeAll(async () => {
  chain = await CountedDevnet.start();
});

afterAll(() => chain.stop());

beforeEach(() => {
  tests += 1;
  alice = `alice-${tests}`;
  bob = `bob-${tests}`;
  chain.devnet.createAccount(alice);
  chain.devnet.createAccount(bob);
  chain.countFromHere();
});

afterEach(() => chain.devnet.node.revive());

/** Each reading takes a microsecond: a request begins after the call that causes it. */
const clock = { ms: 1 };
const verifier = (trustedAccounts: string[] = []): AccountSignatures =>
  new AccountSignatures(new AccountAuthorities(chain.client, { now: () => (clock.ms += 0.001) }), { trustedAccounts });

const verify = (
  signatures: AccountSignatures,
  { text, signature }: Signed,
  roles: readonly Role[] = ['posting'],
  account = alice,
): Promise<Verdict> => signatures.verify({ account, text, signature, roles });

const wrongKey: Verdict = { valid: false, reason: 'wrong-key' };

describe('a signature', () => {
  test('by a key of the account is valid, and the result has the key', async () => {
    chain.devnet.changeKey(alice, 'posting', signedByKeyA.publicKey);
    const verdict = await verify(verifier(), signedByKeyA);
    expect(verdict).toEqual({
      valid: true,
      publicKey: expect.any(Uint8Array),
      role: 'posting',
      signer: alice,
      text: signedByKeyA.text,
    });
    const key = parsePublicKey(signedByKeyA.publicKey);
    expect(verdict.valid && Buffer.from(verdict.publicKey)).toEqual(key && Buffer.from(key));
  });

  test('counts only for the requested roles, in their order', async () => {
    chain.devnet.changeKey(alice, 'active', signedByKeyA.publicKey);
    const signatures = verifier();
    expect(await verify(signatures, signedByKeyA, ['posting'])).toEqual(wrongKey);
    expect(await verify(signatures, signedByKeyA, [])).toEqual(wrongKey);
    expect(await verify(signatures, signedByKeyA, ['posting', 'active'])).toMatchObject({ role: 'active' });

    chain.devnet.changeKey(bob, 'posting', signedByKeyA.publicKey);
    chain.devnet.changeKey(bob, 'active', signedByKeyA.publicKey);
    expect(await verify(signatures, signedByKeyA, ['posting', 'active'], bob)).toMatchObject({ role: 'posting' });
    expect(await verify(signatures, signedByKeyA, ['active', 'posting'], bob)).toMatchObject({ role: 'active' });
  });

  test('by a key of another account, or of another text, is invalid', async () => {
    chain.devnet.changeKey(alice, 'posting', signedByKeyA.publicKey);
    chain.devnet.changeKey(bob, 'posting', signedByKeyB.publicKey);
    const signatures = verifier();
    expect(await verify(signatures, signedByKeyB)).toEqual(wrongKey);
    expect(await verify(signatures, { ...signedByKeyA, text: `${signedByKeyA.text}.` })).toEqual(wrongKey);
  });

  test('over any form of the text is valid with the same number of requests, and the result has the form', async () => {
    chain.devnet.changeKey(alice, 'posting', signedByKeyA.publicKey);
    const { text, signature } = signedByKeyA;
    const signatures = verifier();
    const forms = ['one', text, 'two'];
    for (const [first = '', ...otherForms] of [forms, forms.toReversed(), [text, 'one']]) {
      const verdict = await signatures.verify({
        account: alice,
        text: first,
        otherForms,
        signature,
        roles: ['posting'],
      });
      expect(verdict).toMatchObject({ valid: true, text });
    }
    chain.countFromHere();
    const others = {
      account: alice,
      text: 'one',
      otherForms: ['two', 'three'],
      signature,
      roles: ['posting'] as const,
    };
    expect(await signatures.verify(others)).toEqual(wrongKey);
    expect(chain.calls()).toBe(1);
  });

  test('that is malformed is rejected without a call', async () => {
    const highS = signedByKeyA.signature.slice(0, 66) + 'f'.repeat(64);
    for (const signature of ['', 'abc', highS, signedByKeyA.signature.replace(/^../, '21')]) {
      expect(await verify(verifier(), { ...signedByKeyA, signature })).toEqual({
        valid: false,
        reason: 'malformed-signature',
      });
    }
    expect(chain.calls()).toBe(0);
  });

  test('of an account that does not exist is rejected as such, after one call', async () => {
    const verdict = await verify(verifier(), signedByKeyA, ['posting'], 'nobody-here');
    expect(verdict).toEqual({ valid: false, reason: 'account-not-found' });
    expect(chain.calls()).toBe(1);
  });
});

test('the weight of one key must reach the threshold', async () => {
  chain.devnet.setAuthority(alice, 'posting', {
    weight_threshold: 2,
    account_auths: [],
    key_auths: [
      [signedByKeyA.publicKey, 1],
      [signedByKeyB.publicKey, 2],
    ],
  });
  const signatures = verifier();
  expect(await verify(signatures, signedByKeyA)).toEqual(wrongKey);
  expect(await verify(signatures, signedByKeyB)).toMatchObject({ valid: true });
});

describe('when the account changes its key', () => {
  test('the new key is valid at once, and the old one is invalid', async () => {
    chain.devnet.changeKey(alice, 'posting', signedByKeyA.publicKey);
    const signatures = verifier();
    expect(await verify(signatures, signedByKeyA)).toMatchObject({ valid: true });
    chain.devnet.changeKey(alice, 'posting', signedByKeyB.publicKey);
    expect(await verify(signatures, signedByKeyB)).toMatchObject({ valid: true });
    expect(await verify(signatures, signedByKeyA)).toEqual(wrongKey);
  });

  test('the old key is invalid after a block interval of 3 s, during which a burst costs one call', async () => {
    chain.devnet.changeKey(alice, 'posting', signedByKeyA.publicKey);
    const signatures = verifier();
    await verify(signatures, signedByKeyA);
    chain.devnet.changeKey(alice, 'posting', signedByKeyB.publicKey);
    clock.ms += 2_999;
    const burst = await Promise.all(Array.from({ length: 50 }, () => verify(signatures, signedByKeyA)));
    expect(burst.every(({ valid }) => valid)).toBe(true);
    expect(chain.calls()).toBe(1);
    clock.ms += 1;
    expect(await verify(signatures, signedByKeyA)).toEqual(wrongKey);
  });

  test('the old key of a trusted account is invalid after that time too', async () => {
    chain.devnet.changeKey(bob, 'posting', signedByKeyA.publicKey);
    chain.devnet.setAuthority(alice, 'posting', { weight_threshold: 1, account_auths: [[bob, 1]], key_auths: [] });
    const signatures = verifier([bob]);
    expect(await verify(signatures, signedByKeyA)).toMatchObject({ valid: true, signer: bob });
    chain.devnet.changeKey(bob, 'posting', signedByKeyB.publicKey);
    clock.ms += 3_001;
    expect(await verify(signatures, signedByKeyA)).toEqual(wrongKey);
  });

  test('the old key extends no session after that time, during which the chain is called once', async () => {
    const publicKey = parsePublicKey(signedByKeyA.publicKey);
    if (publicKey === undefined) throw new Error('not a key');
    chain.devnet.changeKey(alice, 'posting', signedByKeyA.publicKey);
    const signatures = verifier();
    const isGood = async () => (await signatures.verifyKey({ account: alice, publicKey, roles: ['posting'] })).valid;
    expect(await isGood()).toBe(true);
    chain.devnet.changeKey(alice, 'posting', signedByKeyB.publicKey);
    clock.ms += 2_999;
    expect(await isGood()).toBe(true);
    expect(chain.calls()).toBe(1);
    clock.ms += 1;
    expect(await isGood()).toBe(false);
  });

  test('a wrong key causes one further read if the authorities were cached', async () => {
    const signatures = verifier();
    await verify(signatures, signedByKeyA);
    expect(chain.calls()).toBe(1);
    await verify(signatures, signedByKeyA);
    expect(chain.calls()).toBe(2);
  });
});

describe('an account in account_auths', () => {
  const naming = (account: string, weight: number) => ({
    weight_threshold: 2,
    account_auths: [[account, weight] as const],
    key_auths: [[devnetKeys(alice).posting.publicKey, 2] as const],
  });

  beforeEach(() => {
    chain.devnet.changeKey(bob, 'posting', signedByKeyB.publicKey);
    chain.devnet.setAuthority(bob, 'active', {
      weight_threshold: 1,
      account_auths: [],
      // The second one signs changes of the tests.
      key_auths: [
        [signedByKeyC.publicKey, 1],
        [devnetKeys(bob).active.publicKey, 1],
      ],
    });
    chain.devnet.setAuthority(alice, 'posting', naming(bob, 2));
  });

  test('counts if the operator trusts it, at the same level', async () => {
    const signatures = verifier([bob]);
    expect(await verify(signatures, signedByKeyB)).toMatchObject({ valid: true, role: 'posting', signer: bob });
    expect(await verify(signatures, signedByKeyC)).toEqual(wrongKey);
    expect(await verify(signatures, signedByKeyB, ['active'])).toEqual(wrongKey);
  });

  test('does not count if the operator does not trust it', async () => {
    expect(await verify(verifier(), signedByKeyB)).toEqual(wrongKey);
    expect(await verify(verifier(['carol']), signedByKeyB)).toEqual(wrongKey);
  });

  test('does not count without enough weight, or if the account does not list it', async () => {
    chain.devnet.setAuthority(alice, 'posting', naming(bob, 1));
    expect(await verify(verifier([bob]), signedByKeyB)).toEqual(wrongKey);
    expect(await verify(verifier([bob]), signedByKeyB, ['posting'], 'carol')).toEqual(wrongKey);
  });

  test('is not followed further', async () => {
    chain.devnet.setAuthority(bob, 'posting', {
      weight_threshold: 1,
      account_auths: [['carol', 1]],
      key_auths: [],
    });
    chain.devnet.changeKey('carol', 'posting', signedByKeyA.publicKey);
    expect(await verify(verifier([bob, 'carol']), signedByKeyA)).toEqual(wrongKey);
  });

  test('can change its key as well', async () => {
    const signatures = verifier([bob]);
    await verify(signatures, signedByKeyB);
    chain.devnet.changeKey(bob, 'posting', signedByKeyA.publicKey);
    expect(await verify(signatures, signedByKeyA)).toMatchObject({ valid: true, signer: bob });
  });

  test('counts for the owner role with its active key', async () => {
    chain.devnet.setAuthority(alice, 'owner', {
      weight_threshold: 1,
      account_auths: [[bob, 1]],
      key_auths: [],
    });
    expect(await verify(verifier([bob]), signedByKeyC, ['owner'])).toMatchObject({ valid: true, role: 'owner' });
  });
});

describe('when no node responds', () => {
  test('the verification rejects', async () => {
    await chain.devnet.node.kill();
    await expect(verify(verifier(), signedByKeyA)).rejects.toBeInstanceOf(HiveNodesUnavailableError);
  });

  test('a key that was read within a block interval is valid, and another is not reported as wrong', async () => {
    chain.devnet.changeKey(alice, 'posting', signedByKeyA.publicKey);
    const signatures = verifier();
    await verify(signatures, signedByKeyA);
    await chain.devnet.node.kill();
    expect(await verify(signatures, signedByKeyA)).toMatchObject({ valid: true });
    await expect(verify(signatures, signedByKeyB)).rejects.toBeInstanceOf(HiveNodesUnavailableError);
    // The key may be another one by then.
    clock.ms += 3_001;
    await expect(verify(signatures, signedByKeyA)).rejects.toBeInstanceOf(HiveNodesUnavailableError);
  });
});
