import { Inject, Injectable } from '@nestjs/common';
import { keyCheckPauseMs, KeyChecks } from '@waggle/chain';
import { type ExtendableQuery, type SessionInfo } from '@waggle/contracts';
import { z } from 'zod';
import { SESSION_SETTINGS, type SessionSettings } from './session-settings';
import { ChatError } from '../errors';
import { cursorTime, decodeCursor, encodeCursor, type Page } from '../lists/page';
import { type Authentication } from '../realtime/connection';
import { type PresentedTokens } from '../credentials';
import { beingErased } from './pending-erasure';
import { Revocations } from './revocations';
import { SessionsStore, type ValidSession, type SessionPosition } from './sessions.store';
import { Tokens, tokenUses, type GrantedSession, type TokenClaims, type TokenUse } from './tokens';

/** Maximum number of sessions in a response: 100 KB of JSON, which take the process about 3 ms. */
const pageSize = 400;

/** The cursor of a list of sessions: the time of the log-in, and the id. */
const position = z.tuple([cursorTime, z.ulid()]);

function positionOf(cursor: string): SessionPosition {
  const [createdAtMs, id] = decodeCursor(cursor, position);
  return { createdAt: new Date(createdAtMs), id };
}

/** Authenticates, renews, lists and ends sessions. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly store: SessionsStore,
    private readonly tokens: Tokens,
    private readonly revocations: Revocations,
    private readonly keyChecks: KeyChecks,
    @Inject(SESSION_SETTINGS) private readonly settings: SessionSettings,
  ) {}

  /**
   * Returns the account of the first token that this service issued, even if it has expired or its session has ended.
   */
  accountOf(presented: PresentedTokens): string | undefined {
    for (const token of inOrder(presented)) {
      const claims = this.claimsEvenExpired(token);
      if (claims !== undefined) return claims.account;
    }
    return undefined;
  }

  /**
   * Returns the valid session of a token. A token in the header takes precedence: cookies are used only if it has
   * expired or has another use, and if they belong to the same account. Otherwise a client with several accounts could
   * act as the wrong one.
   *
   * @param evenExpired whether expired tokens are accepted, as for ending their session
   * @param cookieUses the accepted uses of tokens in cookies
   * @throws ChatError `unauthenticated`, with the message `Expired token` if a token of this service has expired
   */
  async authenticate(
    { header, cookies }: PresentedTokens,
    uses: readonly TokenUse[],
    { evenExpired = false, cookieUses = uses }: { evenExpired?: boolean; cookieUses?: readonly TokenUse[] } = {},
  ): Promise<TokenClaims & { token: string; session: ValidSession }> {
    const headerAccount = header === undefined ? undefined : this.claimsEvenExpired(header)?.account;
    for (const token of inOrder({ header, cookies })) {
      const claims = this.tokens.read(token, token === header ? uses : cookieUses, { ignoreExpiration: evenExpired });
      if (claims === undefined) continue;
      const isOfAnotherAccount = header !== undefined && claims.account !== headerAccount;
      if (isOfAnotherAccount) continue;
      const session = await this.store.findValid(claims.sessionId);
      if (session?.account === claims.account) return { ...claims, token, session };
    }
    const isExpired = (header === undefined ? cookies : [header]).some((token) => this.tokens.isExpired(token));
    // Existing clients compare the first message.
    throw new ChatError('unauthenticated', isExpired ? 'Expired token' : 'no valid credentials');
  }

  /**
   * Authenticates a WebSocket by an access token or `ws_token`, or a cookie of the same account. A token older than the
   * lifetime of an access token is treated as a renewal: the key of the session is checked.
   *
   * @returns the authentication, which lasts at most as long as a new access token
   * @throws ChatError `unauthenticated`, `unavailable`
   */
  async authenticateSocket(presented: PresentedTokens): Promise<Authentication> {
    const cookieUses = ['access', 'refresh'] as const;
    const { session, account, sessionId, issuedAtMs, expiresAtMs } = await this.authenticate(
      presented,
      ['access', 'websocket'],
      { cookieUses },
    );
    const { accessMs } = this.settings.tokens;
    if (Date.now() - issuedAtMs > accessMs) await this.confirmKey(session);
    return { account, sessionId, untilMs: Math.min(expiresAtMs, Date.now() + accessMs) };
  }

  /**
   * Renews a session by its refresh token, which extends its connections. @returns new tokens
   *
   * @throws ChatError `unauthenticated`, `unavailable`
   */
  async renew(presented: PresentedTokens): Promise<GrantedSession> {
    const { session, ...claims } = await this.authenticate(presented, ['refresh']);
    await this.confirmKey(session);
    if (!(await this.store.renew(session.id))) throw new ChatError('unauthenticated', 'the session has ended');
    return this.tokens.grant(claims);
  }

  /** Checks that a session may be extended without a token. @throws ChatError `unauthenticated`, `unavailable` */
  async extend(sessionId: string): Promise<void> {
    const session = await this.store.findValid(sessionId);
    if (session === undefined) throw new ChatError('unauthenticated', 'the session has ended');
    await this.confirmKey(session);
  }

  /**
   * Checks that a session has not ended during a long response. @throws ChatError `unauthenticated`, `being-erased`
   */
  async requireValid(account: string, sessionId: string): Promise<void> {
    if (await this.store.isBeingErased(account)) throw beingErased();
    if ((await this.store.findValid(sessionId)) === undefined) {
      throw new ChatError('unauthenticated', 'the session has ended');
    }
  }

  /** Whether a token belongs to another session, valid or not. */
  isOfAnotherSession(token: string, sessionId: string | undefined): boolean {
    const other = this.sessionOf(token);
    return other !== undefined && other !== sessionId;
  }

  /** Returns the presented tokens; if there is one in the header, without the cookies of other sessions. */
  withoutOtherSessions({ header, cookies }: PresentedTokens): PresentedTokens {
    if (header === undefined) return { header, cookies };
    const sessionId = this.sessionOf(header);
    return { header, cookies: cookies.filter((token) => !this.isOfAnotherSession(token, sessionId)) };
  }

  /**
   * Ends the session of the token in the header, or of the cookies if there is none: on this instance at once, on
   * others with their next poll.
   *
   * @throws ChatError `unauthenticated`
   */
  async logOut(presented: PresentedTokens): Promise<void> {
    const ofSession = this.withoutOtherSessions(presented);
    const { sessionId } = await this.authenticate(ofSession, ['access', 'refresh'], { evenExpired: true });
    await this.revocations.end(sessionId);
  }

  /**
   * Returns a page of the account's valid sessions, the newest first.
   *
   * @param currentId the session of the request, which the list marks
   * @param query `cursor` of the page: without one the first; `extended` adds when a session was last renewed
   * @throws ChatError `invalid-request` if the cursor is not one of this list
   */
  async list(account: string, currentId: string, { cursor, extended }: ExtendableQuery): Promise<Page<SessionInfo>> {
    const sessions = await this.store.listValid(
      account,
      pageSize + 1,
      cursor === undefined ? undefined : positionOf(cursor),
    );
    const page = sessions.slice(0, pageSize);
    const last = sessions.length > pageSize ? page.at(-1) : undefined;
    return {
      items: page.map(({ id, browser, ip, createdAt, renewedAt }) => ({
        id,
        browser,
        ip,
        city: null,
        country: null,
        created_at: createdAt.toISOString(),
        ...(extended && { renewed_at: renewedAt.toISOString() }),
        current: id === currentId,
      })),
      next: last && encodeCursor([last.createdAt.getTime(), last.id]),
    };
  }

  /** Ends one of the account's sessions, as log-out does. @throws ChatError `not-found` */
  async revoke(account: string, sessionId: string): Promise<void> {
    if ((await this.store.findValid(sessionId))?.account !== account) {
      throw new ChatError('not-found', 'there is no such session of yours');
    }
    await this.revocations.end(sessionId);
  }

  /**
   * Ends the session if its key no longer has authority.
   *
   * @throws ChatError `unauthenticated` if the session was ended
   * @throws ChatError `unavailable` if the key could not be checked for too long
   */
  private async confirmKey({ id, account, signingKey, keyConfirmedMsAgo }: ValidSession): Promise<void> {
    const status = await this.keyChecks.check({ account, signingKey, keyConfirmedMsAgo });
    if (status === 'confirmed') await this.store.confirmKey(id);
    if (status === 'changed') {
      await this.revocations.end(id);
      throw new ChatError('unauthenticated', 'the key that logged in is no longer one of the account');
    }
    if (status === 'unconfirmed') {
      throw new ChatError('unavailable', 'The Hive network does not respond at the moment', {
        retryAfterMs: keyCheckPauseMs,
      });
    }
  }

  /** Returns the session of a token that this service issued, even if either has ended. */
  private sessionOf(token: string): string | undefined {
    return this.claimsEvenExpired(token)?.sessionId;
  }

  /** Returns the claims of a token that this service issued for any use. */
  private claimsEvenExpired(token: string): TokenClaims | undefined {
    return this.tokens.read(token, tokenUses, { ignoreExpiration: true });
  }
}

/** Returns the presented tokens in the order of their precedence. */
function inOrder({ header, cookies }: PresentedTokens): readonly string[] {
  return header === undefined ? cookies : [header, ...cookies];
}
