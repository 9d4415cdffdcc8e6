import { hash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ExistingAccounts } from '@waggle/chain';
import { type Challenge, type ProofPayload } from '@waggle/contracts';
import { mapHiveErrors } from '@waggle/service/chain';
import { chainUnavailable, noSuchAccount, VideoAuthError } from '../errors';
import { type IssuedChallenges } from './issued-challenges';

/** Injects the `IssuedChallenges`. */
export const ISSUED_CHALLENGES = Symbol('IssuedChallenges');

/** The settings of challenges. */
export interface ChallengeSettings {
  /** The domain that challenges and payloads name. */
  domain: string;
  /** Whether only challenges can be signed to log in. */
  required: boolean;
  /** Validity of a challenge: the maximum age of a log-in proof (`LOGIN_MAX_AGE_SECONDS`). */
  maxAgeMs: number;
}

/** Injects the `ChallengeSettings`. */
export const CHALLENGE_SETTINGS = Symbol('ChallengeSettings');

const nonceBytes = 16;

/**
 * Issues and checks challenges: texts of the service for one account to sign. A challenge names the domain, so another
 * site cannot use the signature, and has a nonce, so no earlier signature is over the same text.
 */
@Injectable()
export class ChallengesService {
  constructor(
    @Inject(ISSUED_CHALLENGES) private readonly issued: IssuedChallenges,
    private readonly accounts: ExistingAccounts,
    @Inject(CHALLENGE_SETTINGS) private readonly settings: ChallengeSettings,
  ) {}

  /**
   * Issues a text for the account to sign, which is valid once.
   *
   * @throws VideoAuthError `account-not-found`, `chain-unavailable`
   */
  async issue(account: string): Promise<Challenge> {
    if (!(await mapHiveErrors(this.accounts.exists(account), chainUnavailable))) throw noSuchAccount();
    const issuedAtMs = Date.now();
    const { domain, maxAgeMs } = this.settings;
    const text = JSON.stringify({
      account,
      ts: new Date(issuedAtMs).toISOString(),
      nonce: randomBytes(nonceBytes).toString('base64url'),
      domain,
    });
    await this.issued.issue(keyOf(text), maxAgeMs);
    return { proof_payload: text, expires_at: new Date(issuedAtMs + maxAgeMs).toISOString() };
  }

  /**
   * Checks the domain, that the text is a challenge if one is required, and that a challenge was issued. Call it before
   * the signature is verified, so that an invented challenge causes no call to the chain.
   *
   * @param forms of the text; one of them was signed
   * @throws VideoAuthError `invalid-challenge` for a text of another domain, and for one with a nonce that was not
   * issued, `challenge-required`
   * @throws ServiceError `unavailable`
   */
  async check({ nonce, domain, ts }: ProofPayload, forms: readonly string[]): Promise<void> {
    const { domain: own, required } = this.settings;
    if (domain !== undefined && domain !== own) {
      throw new VideoAuthError('invalid-challenge', `proof_payload is made for another domain than ${own}`);
    }
    if (nonce === undefined && required) {
      throw new VideoAuthError('challenge-required', 'sign a proof_payload of POST /api/v1/auth/challenge');
    }
    // If it is too old, the proof is rejected as such.
    if (nonce === undefined || Date.now() - ts > this.settings.maxAgeMs) return;
    const areIssued = await Promise.all(forms.map((form) => this.issued.isIssued(keyOf(form))));
    if (!areIssued.includes(true)) throw notIssued();
  }

  /**
   * Uses up the challenge. Does nothing for a text without a nonce, which is no challenge.
   *
   * @throws VideoAuthError `invalid-challenge` if it has a nonce, but exactly this text was not issued, was used before
   * or is expired
   */
  async use({ nonce }: ProofPayload, text: string): Promise<void> {
    if (nonce === undefined || (await this.issued.take(keyOf(text)))) return;
    throw notIssued();
  }

  /** Releases the challenge after an internal failure, also of `use`, so that it can be used again. */
  async release({ nonce }: ProofPayload, text: string): Promise<void> {
    if (nonce !== undefined) await this.issued.release(keyOf(text));
  }
}

function notIssued(): VideoAuthError {
  return new VideoAuthError(
    'invalid-challenge',
    'proof_payload is not a challenge that we issued and that is still valid',
  );
}

/** Returns the key of an issued challenge: its text is unique, because it contains a nonce. */
function keyOf(text: string): string {
  return hash('sha256', text, 'base64url');
}
