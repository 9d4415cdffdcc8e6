import { hash } from 'node:crypto';
import { type AccountSignatures, type SignedText, type TextVerdict } from './account-signatures';

/** How old, and how far ahead of our clock, a proof may be. */
export interface ProofWindow {
  readonly maxAgeMs: number;
  readonly maxAheadMs: number;
}

/** Remembers used proofs. */
export interface UsedProofs {
  /** Whether this is the first use of the key within `ttlMs`. Of simultaneous claims exactly one is the first. */
  claim(key: string, ttlMs: number): Promise<boolean>;
  /** Withdraws a claim, so that the key can be used again. */
  release(key: string): Promise<void>;
}

/** A signed text that says when it was signed. */
export interface SignedProof extends SignedText {
  /** From the text, in milliseconds since 1970. */
  readonly signedAtMs: number;
}

type Rejection = Extract<TextVerdict, { valid: false }>['reason'] | 'too-old' | 'too-far-ahead' | 'used-before';

export type ProofVerdict =
  | Extract<TextVerdict, { valid: true }>
  | { readonly valid: false; readonly reason: Rejection };

/** Clocks and timers are not exact: a proof is remembered for a little longer than it is valid. */
const marginMs = 1_000;

/** Decides whether a signed text proves that its sender holds a key of the account: now, and once. */
export class SignedProofs {
  constructor(
    private readonly signatures: AccountSignatures,
    private readonly used: UsedProofs,
    private readonly window: ProofWindow,
  ) {}

  /**
   * Uses up a valid proof. An invalid one is not remembered: otherwise a stranger could use up the text of an account.
   *
   * @throws HiveNodesUnavailableError as `AccountSignatures.verify`
   * @throws what `UsedProofs` throws
   */
  async use(proof: SignedProof): Promise<ProofVerdict> {
    const { maxAgeMs, maxAheadMs } = this.window;
    const ageMs = Date.now() - proof.signedAtMs;
    if (ageMs > maxAgeMs) return { valid: false, reason: 'too-old' };
    if (ageMs < -maxAheadMs) return { valid: false, reason: 'too-far-ahead' };

    const verdict = await this.signatures.verify(proof);
    if (!verdict.valid) return verdict;
    const isFirstUse = await this.used.claim(keyOf({ ...proof, text: verdict.text }), maxAgeMs - ageMs + marginMs);
    return isFirstUse ? verdict : { valid: false, reason: 'used-before' };
  }

  /**
   * Lets the proof be used again, after the service failed to do what it was used for. `proof.text` must be the form
   * that was signed.
   *
   * @throws as `use`
   */
  release(proof: SignedProof): Promise<void> {
    return this.used.release(keyOf(proof));
  }
}

/** The key has no signature, because anybody can change it into another valid one. */
function keyOf({ account, text }: SignedProof): string {
  return `${account}:${hash('sha256', text)}`;
}
