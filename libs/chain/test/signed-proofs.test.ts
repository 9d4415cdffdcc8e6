import {
  AccountAuthorities,
  AccountSignatures,
  HiveNodesUnavailableError,
  type ProofVerdict,
  type SignedProof,
  SignedProofs,
  type UsedProofs,
} from '../src';
import { CountedDevnet } from './counted-devnet';
import { signedByKeyA, signedByKeyB, signedThrice } from './signed';

function usedProofs(): UsedProofs {
  const used = new Set<string>();
  return {
    claim: (key) => Promise.resolve(!used.has(key) && used.add(key).has(key)),
    release: (key) => {
      used.delete(key);
      return Promise.resolve();
    },
  };
}

let chain: CountedDevnet;
beforeAll(async () => {
  chain = await CountedDevnet.start();
});
afterAll(() => chain.stop());

let proofs: SignedProofs;
beforeEach(() => {
  chain.devnet.changeKey('alice', 'posting', signedByKeyA.publicKey);
  const signatures = new AccountSignatures(new AccountAuthorities(chain.client));
  proofs = new SignedProofs(signatures, usedProofs(), { maxAgeMs: 300_000, maxAheadMs: 60_000 });
});

const proof = (changes: Partial<SignedProof> = {}): SignedProof => ({
  account: 'alice',
  text: signedByKeyA.text,
  signature: signedByKeyA.signature,
  roles: ['posting'],
  signedAtMs: Date.now(),
  ...changes,
});

const reasonOf = (verdict: ProofVerdict) => (verdict.valid ? 'valid' : verdict.reason);
const use = async (changes?: Partial<SignedProof>) => reasonOf(await proofs.use(proof(changes)));

test('a proof is valid once, however many concurrent requests use it', async () => {
  const reasons = await Promise.all(Array.from({ length: 10 }, () => use()));
  expect(reasons.toSorted()).toEqual([...Array<string>(9).fill('used-before'), 'valid']);
});

test('another form of the same signature is the same proof', async () => {
  expect(await use()).toBe('valid');
  expect(await use({ signature: signedByKeyA.signature.toUpperCase() })).toBe('used-before');
});

test('another signature of the same text is the same proof', async () => {
  chain.devnet.changeKey('alice', 'posting', signedThrice[0]?.publicKey ?? '');
  const verdicts: string[] = [];
  for (const { text, signature } of signedThrice) verdicts.push(await use({ text, signature }));
  expect(verdicts).toEqual(['valid', 'used-before', 'used-before']);
});

test.each([
  ['too old', -300_100, 'too-old'],
  ['nearly too old', -295_000, 'valid'],
  ['nearly too far ahead', 59_000, 'valid'],
  ['too far ahead', 61_000, 'too-far-ahead'],
])('a proof that is %s', async (_what, offsetMs, expected) => {
  expect(await use({ signedAtMs: Date.now() + offsetMs })).toBe(expected);
});

test('an invalid proof has a reason, and is not used up', async () => {
  const wrong = { signature: signedByKeyB.signature };
  expect(await use(wrong)).toBe('wrong-key');
  expect(await use({ signature: 'ff' })).toBe('malformed-signature');
  expect(await use({ account: 'nobody-here' })).toBe('account-not-found');
  expect(await use()).toBe('valid');
});

test('a released proof is valid again', async () => {
  expect(await use()).toBe('valid');
  await proofs.release(proof());
  expect(await use()).toBe('valid');
});

test('rejects, and uses up nothing, while no node responds', async () => {
  await chain.devnet.node.kill();
  await expect(proofs.use(proof())).rejects.toBeInstanceOf(HiveNodesUnavailableError);
  await chain.devnet.node.revive();
  expect(await use()).toBe('valid');
});
