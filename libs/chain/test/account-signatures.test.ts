import { parsePublicKey } from '@waggle/signatures';
import { devnetKeys } from '@waggle/devnet';
import { AccountAuthorities, AccountSignatures, HiveNodesUnavailableError, type Role, type Verdict } from '../src';
import { AskedDevnet } from './asked-devnet';
import { type Signed, signedByKeyA, signedByKeyB, signedByKeyC } from './signed';

let chain: AskedDevnet;
/** Each test has two accounts of its own, with the keys of the chain.devnet. */
let alice: string;
let bob: string;
let tests = 0;

beforeAll(async () => {
  chain = await AskedDevnet.start();
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

const clock = { ms: 1 };
const verifier = (trustedAccounts: string[] = []): AccountSignatures =>
  new AccountSignatures(new AccountAuthorities(chain.client, { now: () => clock.ms }), { trustedAccounts });

const verify = (
  signatures: AccountSignatures,
  { text, signature }: Signed,
  roles: readonly Role[] = ['posting'],
  account = alice,
): Promise<Verdict> => signatures.verify({ account, text, signature, roles });

const wrongKey: Verdict = { valid: false, reason: 'wrong-key' };

describe('a signature', () => {
  test('by a key of the account is valid, and says which', async () => {
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

  test('counts for the roles that are asked for alone, the first of them first', async () => {
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

  test('by a key of another account, or of another text, is not', async () => {
    chain.devnet.changeKey(alice, 'posting', signedByKeyA.publicKey);
    chain.devnet.changeKey(bob, 'posting', signedByKeyB.publicKey);
    const signatures = verifier();
    expect(await verify(signatures, signedByKeyB)).toEqual(wrongKey);
    expect(await verify(signatures, { ...signedByKeyA, text: `${signedByKeyA.text}.` })).toEqual(wrongKey);
  });

  test('over any form of the text is valid, says over which, and costs as many requests as one text', async () => {
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
    expect(chain.asked()).toBe(1);
  });

  test('that is malformed is refused without asking a node', async () => {
    const highS = signedByKeyA.signature.slice(0, 66) + 'f'.repeat(64);
    for (const signature of ['', 'abc', highS, signedByKeyA.signature.replace(/^../, '21')]) {
      expect(await verify(verifier(), { ...signedByKeyA, signature })).toEqual({
        valid: false,
        reason: 'malformed-signature',
      });
    }
    expect(chain.asked()).toBe(0);
  });

  test('of an account that does not exist is refused as such, after one look', async () => {
    const verdict = await verify(verifier(), signedByKeyA, ['posting'], 'nobody-here');
    expect(verdict).toEqual({ valid: false, reason: 'account-not-found' });
    expect(chain.asked()).toBe(1);
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
  test('the new one is good at once, and the old one is not from then on', async () => {
    chain.devnet.changeKey(alice, 'posting', signedByKeyA.publicKey);
    const signatures = verifier();
    expect(await verify(signatures, signedByKeyA)).toMatchObject({ valid: true });
    chain.devnet.changeKey(alice, 'posting', signedByKeyB.publicKey);
    expect(await verify(signatures, signedByKeyB)).toMatchObject({ valid: true });
    expect(await verify(signatures, signedByKeyA)).toEqual(wrongKey);
  });

  test('the old one signs nothing more after the 3 s of a block, in which a burst asks once', async () => {
    chain.devnet.changeKey(alice, 'posting', signedByKeyA.publicKey);
    const signatures = verifier();
    await verify(signatures, signedByKeyA);
    chain.devnet.changeKey(alice, 'posting', signedByKeyB.publicKey);
    clock.ms += 3_000;
    const burst = await Promise.all(Array.from({ length: 50 }, () => verify(signatures, signedByKeyA)));
    expect(burst.every(({ valid }) => valid)).toBe(true);
    expect(chain.asked()).toBe(1);
    clock.ms += 1;
    expect(await verify(signatures, signedByKeyA)).toEqual(wrongKey);
  });

  test('that of a trusted account signs nothing more after that time either', async () => {
    chain.devnet.changeKey(bob, 'posting', signedByKeyA.publicKey);
    chain.devnet.setAuthority(alice, 'posting', { weight_threshold: 1, account_auths: [[bob, 1]], key_auths: [] });
    const signatures = verifier([bob]);
    expect(await verify(signatures, signedByKeyA)).toMatchObject({ valid: true, signer: bob });
    chain.devnet.changeKey(bob, 'posting', signedByKeyB.publicKey);
    clock.ms += 3_001;
    expect(await verify(signatures, signedByKeyA)).toEqual(wrongKey);
  });

  test('the old one extends no session after that time, in which the chain is called once', async () => {
    const publicKey = parsePublicKey(signedByKeyA.publicKey);
    if (publicKey === undefined) throw new Error('not a key');
    chain.devnet.changeKey(alice, 'posting', signedByKeyA.publicKey);
    const signatures = verifier();
    const isGood = async () => (await signatures.verifyKey({ account: alice, publicKey, roles: ['posting'] })).valid;
    expect(await isGood()).toBe(true);
    chain.devnet.changeKey(alice, 'posting', signedByKeyB.publicKey);
    clock.ms += 3_000;
    expect(await isGood()).toBe(true);
    expect(chain.asked()).toBe(1);
    clock.ms += 1;
    expect(await isGood()).toBe(false);
  });

  test('a wrong key is looked up once more, no more', async () => {
    const signatures = verifier();
    await verify(signatures, signedByKeyA);
    expect(chain.asked()).toBe(2);
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
      // The second one signs what the tests change.
      key_auths: [
        [signedByKeyC.publicKey, 1],
        [devnetKeys(bob).active.publicKey, 1],
      ],
    });
    chain.devnet.setAuthority(alice, 'posting', naming(bob, 2));
  });

  test('counts where the operator trusts it, at the same level', async () => {
    const signatures = verifier([bob]);
    expect(await verify(signatures, signedByKeyB)).toMatchObject({ valid: true, role: 'posting', signer: bob });
    expect(await verify(signatures, signedByKeyC)).toEqual(wrongKey);
    expect(await verify(signatures, signedByKeyB, ['active'])).toEqual(wrongKey);
  });

  test('does not count where the operator does not', async () => {
    expect(await verify(verifier(), signedByKeyB)).toEqual(wrongKey);
    expect(await verify(verifier(['carol']), signedByKeyB)).toEqual(wrongKey);
  });

  test('does not count without enough weight, or where the account does not name it', async () => {
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

  test('may change its key as well', async () => {
    const signatures = verifier([bob]);
    await verify(signatures, signedByKeyB);
    chain.devnet.changeKey(bob, 'posting', signedByKeyA.publicKey);
    expect(await verify(signatures, signedByKeyA)).toMatchObject({ valid: true, signer: bob });
  });

  test('counts for owner with its active key', async () => {
    chain.devnet.setAuthority(alice, 'owner', {
      weight_threshold: 1,
      account_auths: [[bob, 1]],
      key_auths: [],
    });
    expect(await verify(verifier([bob]), signedByKeyC, ['owner'])).toMatchObject({ valid: true, role: 'owner' });
  });
});

describe('when no node answers', () => {
  test('nothing is said of the signature', async () => {
    await chain.devnet.node.kill();
    await expect(verify(verifier(), signedByKeyA)).rejects.toBeInstanceOf(HiveNodesUnavailableError);
  });

  test('a key that was read within the time of a block is good, and another is not called wrong', async () => {
    chain.devnet.changeKey(alice, 'posting', signedByKeyA.publicKey);
    const signatures = verifier();
    await verify(signatures, signedByKeyA);
    await chain.devnet.node.kill();
    expect(await verify(signatures, signedByKeyA)).toMatchObject({ valid: true });
    await expect(verify(signatures, signedByKeyB)).rejects.toBeInstanceOf(HiveNodesUnavailableError);
    // Nobody can say whether it was replaced since.
    clock.ms += 3_001;
    await expect(verify(signatures, signedByKeyA)).rejects.toBeInstanceOf(HiveNodesUnavailableError);
  });
});
