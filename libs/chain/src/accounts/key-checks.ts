import { setTimeout } from 'node:timers/promises';
import { type Role } from './account-authorities';
import { type AccountSignatures, type Verdict } from './account-signatures';
import { HiveNodesUnavailableError } from '../node/errors';

/**
 * Maximum time that a check waits for the chain, in milliseconds. If the chain does not respond in time, the session
 * continues. A distant public node that is busy may take two seconds.
 */
const timeoutMs = 4_000;

/**
 * Time during which the chain is not called again after it did not respond, in milliseconds: otherwise every check
 * would wait for it. A later response to another check ends the pause. Nodes that disagree cause none: with two nodes,
 * changing keys again and again would otherwise prevent the checks of all sessions.
 */
export const keyCheckPauseMs = 5_000;

/** The result of a key check; `unknown` if the nodes did not agree in time, or do not know the account. */
export type KeyCheckResult = 'suffices' | 'changed' | 'unknown';

export interface KeyChecksOptions {
  /** The roles that the key of a session must suffice for. */
  readonly roles: readonly Role[];
  /** Time that a confirmation lasts, in milliseconds. */
  readonly confirmationMs: number;
  /** Further time that a session continues while its key cannot be confirmed, in milliseconds. */
  readonly graceMs: number;
  /** Called once for each check that was due. */
  readonly onResult: (result: KeyCheckResult) => void;
  /** Called with each error of a call to the chain. */
  readonly onFailure: (error: unknown) => void;
}

/** A session, with the key that logged in. */
export interface SessionKey {
  readonly account: string;
  /** Compressed, 33 bytes. */
  readonly signingKey: Uint8Array;
  /** Time since the chain last confirmed the key, in milliseconds. */
  readonly keyConfirmedMsAgo: number;
}

/**
 * - `good`: no check was due, or the result is unknown and the grace time is not over
 * - `confirmed`: the chain confirmed it just now; the caller stores the time
 * - `changed`: the key no longer suffices; the caller ends the session
 * - `unconfirmed`: the result is still unknown after the grace time; the caller rejects the session, but does not end
 *   it
 */
export type KeyStatus = 'good' | 'confirmed' | 'changed' | 'unconfirmed';

/**
 * Decides whether the key that logged in still suffices on the chain. Calls the chain only if the last confirmation is
 * older than `confirmationMs`.
 */
export class KeyChecks {
  private pausedUntilMs = 0;

  constructor(
    private readonly signatures: AccountSignatures,
    private readonly options: KeyChecksOptions,
  ) {}

  /** Whether the last confirmation is too old, so that `check` calls the chain. */
  isDue({ keyConfirmedMsAgo }: SessionKey): boolean {
    return keyConfirmedMsAgo > this.options.confirmationMs;
  }

  async check(session: SessionKey): Promise<KeyStatus> {
    if (!this.isDue(session)) return 'good';
    const { confirmationMs, graceMs, onResult } = this.options;
    const result = await this.readKey(session);
    onResult(result);
    if (result === 'changed') return 'changed';
    if (result === 'suffices') return 'confirmed';
    return session.keyConfirmedMsAgo <= confirmationMs + graceMs ? 'good' : 'unconfirmed';
  }

  private async readKey({ account, signingKey }: SessionKey): Promise<KeyCheckResult> {
    if (performance.now() < this.pausedUntilMs) return 'unknown';
    const verdict = await this.inTime(
      this.signatures.verifyKey({ account, publicKey: signingKey, roles: this.options.roles }),
    );
    if (verdict === undefined) {
      this.pausedUntilMs = performance.now() + keyCheckPauseMs;
      return 'unknown';
    }
    this.pausedUntilMs = 0;
    if (verdict === 'disagreement') return 'unknown';
    if (verdict.valid) return 'suffices';
    // Accounts do not vanish: nodes that do not know this one are far behind, and know nothing of its keys.
    return verdict.reason === 'account-not-found' ? 'unknown' : 'changed';
  }

  /** Waits for a verdict for the time limit. Returns undefined if too few nodes respond in time. */
  private async inTime(verdict: Promise<Verdict>): Promise<Verdict | 'disagreement' | undefined> {
    const late = new AbortController();
    const known = verdict.catch((error: unknown) => {
      this.options.onFailure(error);
      return error instanceof HiveNodesUnavailableError && error.isDisagreement ? 'disagreement' : undefined;
    });
    try {
      return await Promise.race([known, setTimeout(timeoutMs, undefined, { signal: late.signal })]);
    } finally {
      late.abort();
    }
  }
}
