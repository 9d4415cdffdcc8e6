import { Inject, Injectable } from '@nestjs/common';
import { keyCheckPauseMs, KeyChecks } from '@waggle/chain';
import { type VideoSession } from '@waggle/contracts';
import { Counter, ipAddressIn, newIdentifier, Registry } from '@waggle/service';
import { noValidToken, VideoAuthError } from '../errors';
import { Tokens } from '../tokens/tokens';
import { SessionWriter, type NewSession } from './session-writer';
import { SessionsStore, type ValidSession } from './sessions.store';

/** The client of a log-in, for the user's list of sessions. */
export interface Device {
  userAgent: string | null;
  /** The client's address, or any text that a trusted proxy sent. */
  ip: string;
}

/** A session and its account. */
export type SessionIdentity = Pick<ValidSession, 'id' | 'account'>;

/** A page of a list of sessions. */
interface SessionsPage {
  items: VideoSession[];
  /** The id of this page's last session, the cursor of the next page; undefined on the last page. */
  next: string | undefined;
}

/**
 * Sessions in one response. One takes at most 1.3 KB of JSON (the 512 characters of a user agent are at most two bytes
 * each, since HTTP headers are Latin-1 without control characters), so that a response stays below 128 KiB.
 */
const pageSize = 100;

/** Begins, lists and ends sessions, and checks their keys. */
@Injectable()
export class SessionsService {
  private readonly ended: Counter<'reason'>;
  /** The running key checks, by the id of the session. */
  private readonly runningChecks = new Map<string, Promise<void>>();

  constructor(
    private readonly sessionWriter: SessionWriter,
    private readonly store: SessionsStore,
    private readonly tokens: Tokens,
    private readonly keyChecks: KeyChecks,
    @Inject(Registry) metrics: Registry,
  ) {
    this.ended = new Counter({
      name: 'video_auth_sessions_ended_total',
      help: 'Sessions that ended before they expired, by reason',
      labelNames: ['reason'],
      registers: [metrics],
    });
  }

  /** Begins a session. @returns its token; undefined if the proof has a session already */
  async begin(
    proven: Pick<NewSession, 'account' | 'proof' | 'signingKey'>,
    { userAgent, ip }: Device,
  ): Promise<string | undefined> {
    const id = newIdentifier();
    const lifetime = this.tokens.lifetime();
    const expiresAt = new Date(lifetime.expiresAtSeconds * 1_000);
    const session = { id, ...proven, userAgent, ip: ipAddressIn(ip) ?? null, expiresAt };
    if (!(await this.sessionWriter.add(session))) return undefined;
    return this.tokens.issue({ account: proven.account, sessionId: id, ...lifetime });
  }

  /**
   * Checks that the key of a session still suffices, if a check is due. Concurrent calls for a session share one check
   * and one update of its row.
   *
   * @throws VideoAuthError `unauthenticated`, `chain-unavailable`
   */
  async requireValidKey(session: ValidSession): Promise<void> {
    if (!this.keyChecks.isDue(session)) return;
    const { id } = session;
    const check = this.runningChecks.get(id) ?? this.checkKey(session).finally(() => this.runningChecks.delete(id));
    this.runningChecks.set(id, check);
    await check;
  }

  /** Checks the key of a session on the chain, and ends the session if the key has no authority anymore. */
  private async checkKey(session: ValidSession): Promise<void> {
    const status = await this.keyChecks.check(session);
    if (status === 'confirmed') await this.store.confirmKey(session.id);
    if (status === 'changed') {
      await this.end(session, 'key-changed');
      throw noValidToken();
    }
    if (status === 'unconfirmed') {
      throw new VideoAuthError('chain-unavailable', 'The Hive network does not respond at the moment', {
        retryAfterMs: keyCheckPauseMs,
      });
    }
  }

  /**
   * Returns a page of the caller's valid sessions, the newest first.
   *
   * @param cursor `next` of the previous page, if any
   */
  async list({ id: current, account }: SessionIdentity, cursor?: string): Promise<SessionsPage> {
    const sessions = await this.store.listValid(account, pageSize + 1, cursor);
    const page = sessions.slice(0, pageSize);
    return {
      items: page.map(({ id, userAgent, ip, createdAt, expiresAt }) => ({
        id,
        user_agent: userAgent,
        ip,
        created_at: createdAt.toISOString(),
        expires_at: expiresAt.toISOString(),
        current: id === current,
      })),
      next: sessions.length > pageSize ? page.at(-1)?.id : undefined,
    };
  }

  /** Ends one of the caller's own sessions. @throws VideoAuthError `not-found` */
  async revoke({ account }: SessionIdentity, id: string): Promise<void> {
    if (!(await this.end({ id, account }, 'revoked'))) {
      throw new VideoAuthError('not-found', 'there is no such session of yours');
    }
  }

  /** Ends the caller's session. */
  async logOut(session: SessionIdentity): Promise<void> {
    await this.end(session, 'logged-out');
  }

  /** Ends a session, and counts it. @returns false if the account has no such valid session */
  private async end(
    { id, account }: SessionIdentity,
    reason: 'logged-out' | 'revoked' | 'key-changed',
  ): Promise<boolean> {
    const isEnded = await this.store.revoke(id, account);
    if (isEnded) this.ended.inc({ reason });
    return isEnded;
  }
}
