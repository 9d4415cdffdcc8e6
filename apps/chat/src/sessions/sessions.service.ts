import { Inject, Injectable } from '@nestjs/common';
import { expiredTokenMessage, type LoginQuery, type SessionInfo } from '@waggle/contracts';
import { z } from 'zod';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { ChatError } from '../errors';
import { cursorMs, decodeCursor, encodeCursor } from '../lists/cursors';
import { type Authentication } from '../realtime/connection';
import { type Presented } from '../credentials';
import { LoginProof } from './login-proof';
import { Renewals } from './renewals';
import { Revocations } from './revocations';
import { SessionsStore, type LiveSession, type SessionPosition } from './sessions.store';
import { Tokens, tokenUses, type IssuedToken, type TokenClaims, type TokenUse } from './tokens';

/** Where a log-in came from, for the user's own list of sessions. */
export interface Device {
  /** Its name and version, such as `Firefox 140.0`; null if the client does not say. */
  browser: string | null;
  ip: string | null;
}

type SessionOfAccount = Pick<TokenClaims, 'account' | 'sessionId'>;

/** A live session with fresh tokens. */
export interface GrantedSession {
  account: string;
  sessionId: string;
  accessToken: IssuedToken;
  websocketToken: IssuedToken;
}

export interface SessionsPage {
  sessions: SessionInfo[];
  /** The cursor of the next page; undefined if this is the last one. */
  next: string | undefined;
}

/** Sessions in one response: at most 100 KB of JSON, which take the process about 3 ms. */
const pageSize = 400;

/** The creation of a session, and its identifier. */
const position = z.tuple([cursorMs, z.ulid()]);

function positionOf(cursor: string): SessionPosition {
  const [createdAtMs, id] = decodeCursor(cursor, position);
  return { createdAt: new Date(createdAtMs), id };
}

@Injectable()
export class SessionsService {
  constructor(
    private readonly proof: LoginProof,
    private readonly store: SessionsStore,
    private readonly tokens: Tokens,
    private readonly revocations: Revocations,
    private readonly renewals: Renewals,
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {}

  /** @throws ServiceError as `LoginProof.verify` */
  async logIn(
    query: LoginQuery,
    device: Device,
  ): Promise<GrantedSession & { refreshToken: IssuedToken; admin: boolean }> {
    const signingKey = await this.proof.verify(query);
    const account = query.username;
    const expiresAt = new Date(Date.now() + this.config.tokens.refreshMs);
    const session = { account, signingKey, ...device, expiresAt };
    const sessionId = await this.store.create(session).catch(async (error: unknown) => {
      // Why the log-in failed is what counts; that its proof stays used besides costs a new signature.
      await this.proof.giveBack(query).catch(() => undefined);
      throw error;
    });
    return {
      ...this.grant({ account, sessionId }),
      refreshToken: this.tokens.issue('refresh', { account, sessionId }),
      admin: this.config.admins.includes(account),
    };
  }

  /**
   * The live session that the caller shows a token of. A token in the header decides alone: cookies beside it count only
   * where they are the same account's, as when the header's token has expired. Else a client with several accounts would
   * act as one of them in the name of another.
   *
   * @param evenExpired whether a token past its time is good enough, as it is for ending its session
   * @param cookieUses of the tokens in cookies
   * @throws ServiceError `unauthenticated`, with `expiredTokenMessage` if the caller shows a token of ours that has expired
   */
  async authenticate(
    { header, cookies }: Presented,
    uses: readonly TokenUse[],
    { evenExpired = false, cookieUses = uses }: { evenExpired?: boolean; cookieUses?: readonly TokenUse[] } = {},
  ): Promise<TokenClaims & { token: string; session: LiveSession }> {
    const meant = header === undefined ? undefined : this.tokens.read(header, tokenUses, true)?.account;
    for (const token of header === undefined ? cookies : [header, ...cookies]) {
      const claims = this.tokens.read(token, token === header ? uses : cookieUses, evenExpired);
      if (claims === undefined || (header !== undefined && claims.account !== meant)) continue;
      const session = await this.store.findLive(claims.sessionId);
      if (session?.account === claims.account) return { ...claims, token, session };
    }
    const isExpired = (header === undefined ? cookies : [header]).some((token) => this.tokens.isExpired(token));
    throw new ChatError('unauthenticated', isExpired ? expiredTokenMessage : 'no valid credentials');
  }

  /**
   * The session in which a WebSocket acts: that of the access token or `ws_token` that the client shows, or of a cookie of the same
   * account. A token that is older than an access token can be counts as a renewal: the key of the session is checked.
   *
   * @returns the session, and until when it may act: as long as by a fresh access token at most
   * @throws ServiceError `unauthenticated`, `unavailable`
   */
  async authenticateSocket(presented: Presented): Promise<Authentication> {
    const cookieUses = ['access', 'refresh'] as const;
    const { session, account, sessionId, issuedAtMs, expiresAtMs } = await this.authenticate(
      presented,
      ['access', 'websocket'],
      { cookieUses },
    );
    const { accessMs } = this.config.tokens;
    if (Date.now() - issuedAtMs > accessMs) await this.renewals.confirmKey(session);
    return { account, sessionId, untilMs: Math.min(expiresAtMs, Date.now() + accessMs) };
  }

  /**
   * Renews by a refresh token: fresh tokens, and the session's open sockets live on.
   *
   * @throws ServiceError `unauthenticated`, `unavailable`
   */
  async renew(presented: Presented): Promise<GrantedSession> {
    const { session, ...claims } = await this.authenticate(presented, ['refresh']);
    await this.renewals.renew(session);
    return this.grant(claims);
  }

  /** Checks that a session may go on without a token of its own. @throws ServiceError `unauthenticated`, `unavailable` */
  async extend(sessionId: string): Promise<void> {
    const session = await this.store.findLive(sessionId);
    if (session === undefined) throw new ChatError('unauthenticated', 'the session has ended');
    await this.renewals.confirmKey(session);
  }

  /** Whether a refresh token is that of another session, live or not. */
  isOfAnother(refreshToken: string, { sessionId }: GrantedSession): boolean {
    const claims = this.tokens.read(refreshToken, ['refresh'], true);
    return claims !== undefined && claims.sessionId !== sessionId;
  }

  /** Ends the session everywhere: here at once, on other instances as soon as they look. @throws ServiceError `unauthenticated` */
  async logOut(presented: Presented): Promise<void> {
    const { sessionId } = await this.authenticate(presented, ['access', 'refresh'], { evenExpired: true });
    await this.revocations.end(sessionId);
  }

  /**
   * One page of the account's live sessions as it may see them, the newest first.
   *
   * @param cursor of the page; the first page if undefined
   * @returns the page, and the cursor of the next one if there is more
   * @throws ChatError `invalid-request` if the cursor is not one of this list
   */
  async list(account: string, currentId: string, cursor?: string): Promise<SessionsPage> {
    const sessions = await this.store.listLive(
      account,
      pageSize + 1,
      cursor === undefined ? undefined : positionOf(cursor),
    );
    const page = sessions.slice(0, pageSize);
    const last = sessions.length > pageSize ? page.at(-1) : undefined;
    return {
      sessions: page.map(({ id, browser, ip, createdAt }) => ({
        id,
        browser,
        ip,
        city: null,
        country: null,
        created_at: createdAt.toISOString(),
        current: id === currentId,
      })),
      next: last && encodeCursor([last.createdAt.getTime(), last.id]),
    };
  }

  /** Ends one of the account's own sessions, as log-out does. @throws ServiceError `not-found` */
  async revoke(account: string, sessionId: string): Promise<void> {
    if ((await this.store.findLive(sessionId))?.account !== account) {
      throw new ChatError('not-found', 'there is no such session of yours');
    }
    await this.revocations.end(sessionId);
  }

  /** A fresh WebSocket token for a session that is known to be live. */
  grantWebsocket(session: SessionOfAccount): IssuedToken {
    return this.tokens.issue('websocket', session);
  }

  /** Fresh access and WebSocket tokens for a session that is known to be live. */
  private grant(session: SessionOfAccount): GrantedSession {
    const accessToken = this.tokens.issue('access', session);
    const { account, sessionId } = session;
    return { account, sessionId, accessToken, websocketToken: this.grantWebsocket(session) };
  }
}
