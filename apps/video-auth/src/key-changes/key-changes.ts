import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { AccountSignatures, type Verdict } from '@waggle/chain';
import { videoAuthority } from '@waggle/contracts';
import { Counter, LOGGER, Registry, RepeatedLine, type Logger } from '@waggle/service';
import { VIDEO_AUTH_CONFIG, type VideoAuthConfig } from '../config';
import { VideoAuthError } from '../errors';

/** How long a check waits for the chain; the session is kept meanwhile. */
const patienceMs = 2_000;
/** How long the chain is not asked again once it did not answer: else every check would wait for it. */
const pauseMs = 5_000;

/** The key by which somebody logged in. */
export interface SigningKeyOfSession {
  account: string;
  signingKey: Uint8Array;
  keyConfirmedMsAgo: number;
}

type Answer = 'suffices' | 'changed' | 'unknown';

/** Whether the key by which somebody logged in may still do so. */
@Injectable()
export class KeyChanges {
  private silentUntilMs = 0;
  private readonly answers: Counter<'answer'>;
  private readonly failures: RepeatedLine;

  constructor(
    private readonly signatures: AccountSignatures,
    @Inject(VIDEO_AUTH_CONFIG) private readonly config: VideoAuthConfig,
    @Inject(Registry) metrics: Registry,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failures = new RepeatedLine((leftOut, err) => {
      logger.error({ err, leftOut }, 'cannot ask whether the key of a session still suffices');
    });
    this.answers = new Counter({
      name: 'video_auth_key_checks_total',
      help: 'Questions whether the key of a session still suffices, by what the chain answered',
      labelNames: ['answer'],
      registers: [metrics],
    });
  }

  /**
   * Asks the chain, where it was last asked long enough ago.
   *
   * @returns `still-good`: nothing was asked, or nobody knows and that is not for too long yet
   * @throws VideoAuthError `chain-unavailable` when nobody has known for too long
   */
  async judge(session: SigningKeyOfSession): Promise<'still-good' | 'confirmed' | 'changed'> {
    const { everyMs, graceMs } = this.config.keyChecks;
    if (session.keyConfirmedMsAgo <= everyMs) return 'still-good';
    const answer = await this.ask(session);
    this.answers.inc({ answer });
    if (answer === 'changed') return 'changed';
    if (answer === 'suffices') return 'confirmed';
    if (session.keyConfirmedMsAgo <= everyMs + graceMs) return 'still-good';
    throw new VideoAuthError('chain-unavailable', 'The Hive network does not answer at the moment', {
      retryAfterMs: pauseMs,
    });
  }

  private async ask({ account, signingKey }: SigningKeyOfSession): Promise<Answer> {
    if (performance.now() < this.silentUntilMs) return 'unknown';
    const verdict = await this.answerInTime(
      this.signatures.verifyKey({ account, publicKey: signingKey, roles: [videoAuthority] }),
    );
    if (verdict === undefined) {
      this.silentUntilMs = performance.now() + pauseMs;
      return 'unknown';
    }
    if (verdict.valid) return 'suffices';
    // Accounts do not vanish: a node that does not know this one is far behind, and knows nothing of its keys.
    return verdict.reason === 'account-not-found' ? 'unknown' : 'changed';
  }

  /** Undefined where nobody answers, or not in time; what comes later is remembered for the next question. */
  private async answerInTime(asked: Promise<Verdict>): Promise<Verdict | undefined> {
    const late = new AbortController();
    const answer = asked.catch((error: unknown) => {
      this.failures.say(error);
      return undefined;
    });
    try {
      return await Promise.race([answer, setTimeout(patienceMs, undefined, { signal: late.signal })]);
    } finally {
      late.abort();
    }
  }
}
