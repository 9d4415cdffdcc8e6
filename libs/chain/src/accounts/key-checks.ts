import { setTimeout } from 'node:timers/promises';
import { type Role } from './account-authorities';
import { type AccountSignatures, type Verdict } from './account-signatures';

/** How long a check waits for the chain, in milliseconds; the session is kept meanwhile. */
const patienceMs = 2_000;

/** How long the chain is not asked again after it did not answer, in milliseconds: otherwise every check would wait for it. */
export const keyCheckPauseMs = 5_000;

/** What the chain said of a key; `unknown` if no node answered in time, or none that knows the account. */
export type KeyAnswer = 'suffices' | 'changed' | 'unknown';

export interface KeyChecksOptions {
  /** The levels at which the key of a session must suffice. */
  readonly roles: readonly Role[];
  /** How long a confirmation lasts, in milliseconds. */
  readonly everyMs: number;
  /** How long beyond that a session is kept while nobody can confirm its key, in milliseconds. */
  readonly graceMs: number;
  /** Called once for each check that was due. */
  readonly onAnswer: (answer: KeyAnswer) => void;
  /** Called with each failure to ask the chain. */
  readonly onFailure: (error: unknown) => void;
}

/** A session by the key that logged in. */
export interface SessionKey {
  readonly account: string;
  /** Compressed, 33 bytes. */
  readonly signingKey: Uint8Array;
  /** How long ago the chain last said that the key suffices, in milliseconds. */
  readonly keyConfirmedMsAgo: number;
}

/**
 * - `good`: no check was due, or nobody knows and the grace time is not over
 * - `confirmed`: the chain says so now; the caller stores the time
 * - `changed`: the key no longer suffices; the caller ends the session
 * - `unconfirmed`: nobody has known for longer than the grace time; the caller refuses the session, but does not end it
 */
export type KeyStatus = 'good' | 'confirmed' | 'changed' | 'unconfirmed';

/** Decides whether the key that logged in still suffices on the chain, which it asks at most once per interval and session. */
export class KeyChecks {
  private silentUntilMs = 0;

  constructor(
    private readonly signatures: AccountSignatures,
    private readonly options: KeyChecksOptions,
  ) {}

  async check(session: SessionKey): Promise<KeyStatus> {
    const { everyMs, graceMs, onAnswer } = this.options;
    if (session.keyConfirmedMsAgo <= everyMs) return 'good';
    const answer = await this.ask(session);
    onAnswer(answer);
    if (answer === 'changed') return 'changed';
    if (answer === 'suffices') return 'confirmed';
    return session.keyConfirmedMsAgo <= everyMs + graceMs ? 'good' : 'unconfirmed';
  }

  private async ask({ account, signingKey }: SessionKey): Promise<KeyAnswer> {
    if (performance.now() < this.silentUntilMs) return 'unknown';
    const verdict = await this.answerInTime(
      this.signatures.verifyKey({ account, publicKey: signingKey, roles: this.options.roles }),
    );
    if (verdict === undefined) {
      this.silentUntilMs = performance.now() + keyCheckPauseMs;
      return 'unknown';
    }
    if (verdict.valid) return 'suffices';
    // Accounts do not vanish: a node that does not know this one is far behind, and knows nothing of its keys.
    return verdict.reason === 'account-not-found' ? 'unknown' : 'changed';
  }

  /** Undefined if no node answers, or not in time; a late answer is cached for the next check. */
  private async answerInTime(asked: Promise<Verdict>): Promise<Verdict | undefined> {
    const late = new AbortController();
    const answer = asked.catch((error: unknown) => {
      this.options.onFailure(error);
      return undefined;
    });
    try {
      return await Promise.race([answer, setTimeout(patienceMs, undefined, { signal: late.signal })]);
    } finally {
      late.abort();
    }
  }
}
