import '@fastify/cookie';
import { Body, Controller, Get, Inject, Post, Query, Req, Res, UseGuards, UseInterceptors } from '@nestjs/common';
import {
  loginQuery,
  loginSession,
  extendableQuery,
  renewedSession,
  revokeSessionBody,
  sessionInfo,
  sessionRevoked,
  type LoginQuery,
  type LoginSession,
  type ExtendableQuery,
  type RenewedSession,
  type RevokeSessionBody,
  type SessionInfo,
  type SessionRevoked,
} from '@waggle/contracts';
import { NextPageLink, AuthenticationLimiter, ipAddressIn, type WithNextLink, ServiceError } from '@waggle/service';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { linkHeaders } from '@waggle/service/api-description';
import { anyCredentials, refreshCredentials, RespondsWith } from '../api-description/responds-with';
import { SESSION_SETTINGS, type SessionSettings } from './session-settings';
import { LoginLimitGuard } from './login-limit.guard';
import { QueueListReads } from './queue-list-reads.interceptor';
import { AccessGuard, Caller, CallerSessionId } from './access.guard';
import { browserIn } from './browser';
import {
  accessCookie,
  acceptsCookies,
  isNavigation,
  presentedTokens,
  refreshCookie,
  type PresentedTokens,
} from '../credentials';
import { LoginService } from './login.service';
import { SessionCookies } from './session-cookies';
import { SessionsService } from './sessions.service';
import { Tokens } from './tokens';

/** A longer `User-Agent` is cut: clients may send any text. */
const maxUserAgentCharacters = 512;

/** The REST calls that log in and out, renew tokens, and list and end sessions. */
@Controller()
export class SessionsController {
  constructor(
    private readonly login: LoginService,
    private readonly sessions: SessionsService,
    private readonly tokens: Tokens,
    private readonly cookies: SessionCookies,
    private readonly authenticationLimiter: AuthenticationLimiter,
    @Inject(SESSION_SETTINGS) private readonly settings: SessionSettings,
  ) {}

  @Get('users/login')
  @RespondsWith(loginSession, {
    summary: 'Starts a session with a signature',
    description:
      '`sig` signs the text `username` followed by `ts` with the posting or active key of the account. Sets the cookies of the session. A signature can be used once. After `proof-expired`, correct your clock by the response header `Date` and sign once more.',
    errors: [
      'invalid-request',
      'invalid-signature',
      'proof-expired',
      'proof-replayed',
      'account-not-found',
      'being-erased',
    ],
    credentials: [],
  })
  @UseGuards(LoginLimitGuard)
  async logIn(
    @Query({ schema: loginQuery }) query: LoginQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoginSession> {
    const device = {
      browser: browserIn(request.headers['user-agent']?.slice(0, maxUserAgentCharacters) ?? ''),
      ip: ipAddressIn(request.ip) ?? null,
    };
    const session = await this.login.logIn(query, device);
    // A link or a page of another site must not set cookies: it could log a user in as an account of its choice.
    if (acceptsCookies(request.headers, this.settings.cookies) && !isNavigation(request.headers)) {
      this.cookies.set(reply, session.accessToken.token, session.refreshToken.token);
    }
    return {
      username: session.account,
      admin: session.admin,
      ws_token: session.websocketToken.token,
      token: session.accessToken.token,
      refresh_token: session.refreshToken.token,
      expires_at: new Date(session.accessToken.expiresAtMs).toISOString(),
    };
  }

  /** Returns the account of the caller, and renews an expired access token with the refresh token. */
  @Get('users/verify')
  @RespondsWith(renewedSession, {
    summary: 'The account of the session; renews an access token that has expired',
    credentials: anyCredentials,
  })
  async verify(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RenewedSession> {
    try {
      const claims = await this.withTokens(request, (tokens) => this.sessions.authenticate(tokens, ['access']));
      const { token: ws_token } = this.tokens.issue('websocket', claims);
      return { username: claims.account, ws_token, token: claims.token };
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'unauthenticated') return this.refreshToken(request, reply);
      throw error;
    }
  }

  @Get('users/refresh-token')
  @RespondsWith(renewedSession, {
    summary: 'Renews the tokens with the refresh token',
    description: 'Also extends the open WebSockets of the session. The refresh token does not change.',
    credentials: refreshCredentials,
  })
  async refreshToken(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RenewedSession> {
    const session = await this.withTokens(request, (tokens) => this.sessions.renew(tokens));
    const [cookieToken] = presentedTokens(request.headers, [refreshCookie], this.settings.cookies).cookies;
    // The token in the header may belong to another session than the cookies. Then they stay as they are.
    const hasCookiesOfAnotherSession =
      cookieToken !== undefined && this.sessions.isOfAnotherSession(cookieToken, session.sessionId);
    if (!hasCookiesOfAnotherSession && acceptsCookies(request.headers, this.settings.cookies)) {
      this.cookies.set(reply, session.accessToken.token);
    }
    return { username: session.account, ws_token: session.websocketToken.token, token: session.accessToken.token };
  }

  @Get('refresh-token')
  @RespondsWith(renewedSession, {
    summary: 'The same as `/users/refresh-token`, for clients that leave out the prefix',
    credentials: refreshCredentials,
  })
  refreshTokenByAlias(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RenewedSession> {
    return this.refreshToken(request, reply);
  }

  @Get('users/logout')
  @RespondsWith(undefined, {
    summary: 'Ends the session of the token, closes its WebSockets and clears its cookies',
    credentials: anyCredentials,
  })
  async logOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const presented = this.tokensOf(request);
    const { cookies } = this.sessions.withoutOtherSessions(presented);
    // Clears cookies even if they are no longer valid, since the page cannot remove them. Keeps the cookies of another
    // session, and all cookies for pages of other sites.
    if (cookies.length === presented.cookies.length && acceptsCookies(request.headers, this.settings.cookies)) {
      this.cookies.clear(reply);
    }
    await this.withTokens(request, (tokens) => this.sessions.logOut(tokens));
  }

  @UseInterceptors(QueueListReads)
  @Get('users/sessions')
  @RespondsWith([sessionInfo], {
    summary: 'The sessions of the caller, the newest first',
    description: 'In pages of at most 400 sessions.',
    errors: ['invalid-request'],
    headers: linkHeaders,
  })
  @UseGuards(AccessGuard)
  async list(
    @Caller() caller: string,
    @CallerSessionId() current: string,
    @Query({ schema: extendableQuery }) query: ExtendableQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<SessionInfo[]> {
    return withNextLink(await this.sessions.list(caller, current, query));
  }

  @Post('users/revoke-session')
  @RespondsWith(sessionRevoked, { summary: 'Ends a session of the caller', errors: ['invalid-request', 'not-found'] })
  @UseGuards(AccessGuard)
  async revoke(
    @Caller() caller: string,
    @Body({ schema: revokeSessionBody }) { id }: RevokeSessionBody,
  ): Promise<SessionRevoked> {
    await this.sessions.revoke(caller, id);
    return { success: true };
  }

  /**
   * Uses the tokens of a request. Requests of one account wait for each other, whichever of its tokens they carry.
   *
   * @throws ServiceError `rate-limited`; and what `use` throws
   */
  private withTokens<T>(request: FastifyRequest, use: (tokens: PresentedTokens) => Promise<T>): Promise<T> {
    const tokens = this.tokensOf(request);
    return this.authenticationLimiter.run(this.sessions.accountOf(tokens), () => use(tokens));
  }

  private tokensOf({ headers }: FastifyRequest): PresentedTokens {
    return presentedTokens(headers, [accessCookie, refreshCookie], this.settings.cookies);
  }
}
