import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SignedProofs, type ProofVerdict, type SignedProof } from '@waggle/chain';
import { type VideoLogin } from '@waggle/contracts';
import { type Client, Counter, isDatabaseUnavailable, Registry, ServiceError } from '@waggle/service';
import { mapHiveErrors } from '@waggle/service/chain';
import { LoginLimits } from '@waggle/service/login';
import { ChallengesService } from '../challenges/challenges.service';
import { chainUnavailable, noSuchAccount, VideoAuthError } from '../errors';
import { SessionsService, type Device } from '../sessions/sessions.service';
import { type LoginRequest } from './login-request';

/** The verdict on a valid proof. */
type Proven = Extract<ProofVerdict, { valid: true }>;

const wrongSignature = ({ text, otherForms = [] }: SignedProof) =>
  new VideoAuthError(
    'invalid-signature',
    'the signature is not one of a posting key of the account over proof_payload' +
      // Only for objects: their sender cannot know how they were serialized.
      (otherForms.length > 0 ? `, an object that was verified as ${[text, ...otherForms].join(' and as ')}` : ''),
  );
const usedBefore = () => new VideoAuthError('proof-replayed', 'this proof was used before; sign a new ts');

/** The error of each proof failure. */
const errorOfReason = {
  'too-old': () =>
    new VideoAuthError(
      'proof-expired',
      'ts is too old: the clock is slow, the request took too long, or ts is not in milliseconds',
    ),
  'too-far-ahead': () =>
    new VideoAuthError('proof-expired', 'ts is in the future: the clock is fast, or ts is not in milliseconds'),
  'account-not-found': noSuchAccount,
  'malformed-signature': wrongSignature,
  'wrong-key': wrongSignature,
  'used-before': usedBefore,
} satisfies Record<Exclude<ProofVerdict, Proven>['reason'], (proof: SignedProof) => VideoAuthError>;

/** Exchanges a proof for a token. */
@Injectable()
export class LoginService {
  private readonly logins: Counter<'outcome'>;

  constructor(
    private readonly proofs: SignedProofs,
    private readonly challenges: ChallengesService,
    private readonly sessions: SessionsService,
    private readonly limits: LoginLimits,
    @Inject(Registry) metrics: Registry,
  ) {
    this.logins = new Counter({
      name: 'video_auth_logins_total',
      help: 'Well-formed log-ins, by outcome: ok, or the code of the error',
      labelNames: ['outcome'],
      registers: [metrics],
    });
  }

  /**
   * Verifies a proof and begins a session.
   *
   * @throws VideoAuthError `proof-expired`, `account-not-found`, `invalid-signature`, `proof-replayed`,
   * `challenge-required`, `invalid-challenge`, `chain-unavailable`
   * @throws ServiceError `rate-limited`, `unavailable`
   */
  async logIn(request: LoginRequest, device: Device, client: Client): Promise<VideoLogin> {
    try {
      await this.limits.count(client, request.proof.account);
      const access_token = await this.begin(request, device);
      this.logins.inc({ outcome: 'ok' });
      return { access_token };
    } catch (error) {
      this.logins.inc({ outcome: outcomeOf(error) });
      throw error;
    }
  }

  private async begin({ proof: claimed, payload }: LoginRequest, device: Device): Promise<string> {
    await this.challenges.check(payload, [claimed.text, ...(claimed.otherForms ?? [])]);
    const { publicKey, text } = await this.prove(claimed);
    // Of the forms of an object, the signed one identifies the used proof.
    const proof = { ...claimed, text };
    try {
      await this.challenges.use(payload, proof.text);
      const proven = { account: proof.account, proof: hashOf(proof), signingKey: publicKey };
      const token = await this.sessions.begin(proven, device);
      if (token === undefined) throw usedBefore();
      return token;
    } catch (error) {
      // A proof that is rejected here stays used. Other errors are failures on our side: the same signature may be sent
      // again.
      if (!(error instanceof VideoAuthError)) {
        await Promise.allSettled([this.proofs.release(proof), this.challenges.release(payload, proof.text)]);
      }
      throw error;
    }
  }

  private async prove(proof: SignedProof): Promise<Proven> {
    const verdict = await mapHiveErrors(this.proofs.use(proof), chainUnavailable);
    if (!verdict.valid) throw errorOfReason[verdict.reason](proof);
    return verdict;
  }
}

/** The code of the error that the response reports. */
function outcomeOf(error: unknown): string {
  if (isDatabaseUnavailable(error)) return 'unavailable';
  return error instanceof ServiceError ? error.code : 'internal';
}

function hashOf({ account, text }: SignedProof): Buffer {
  return hash('sha256', `${account}:${text}`, 'buffer');
}
