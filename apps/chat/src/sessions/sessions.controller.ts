import '@fastify/cookie';
import { Body, Controller, Get, Inject, Post, Query, Req, Res, UseGuards, UseInterceptors } from '@nestjs/common';
import {
  loginQuery,
  loginSession,
  pageQuery,
  renewedSession,
  revokeSessionBody,
  sessionInfo,
  sessionRevoked,
  type LoginQuery,
  type LoginSession,
  type PageQuery,
  type RenewedSession,
  type RevokeSessionBody,
  type SessionInfo,
  type SessionRevoked,
} from '@waggle/contracts';
import { AnnounceNextPage, type NextPage, ServiceError } from '@waggle/service';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { pageHeaders } from '@waggle/service/api-description';
import { Answers, anyCredentials, refreshCredentials } from '../api-description/answers';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { LoginLimitGuard } from '../rate-limits/login-limit.guard';
import { ListReadsInterceptor } from './list-reads.interceptor';
import { AccessGuard, Caller, CallerSession } from './access.guard';
import { browserIn } from './browser';
import { accessCookie, cookiesCount, presentedTokens, refreshCookie, type Presented } from '../credentials';
import { SessionCookies } from './session-cookies';
import { SessionsService } from './sessions.service';

@Controller()
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly cookies: SessionCookies,
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {}

  @Get('users/login')
  @Answers(loginSession, {
    summary: 'Begins a session by a signature',
    description:
      '`sig` signs the text `username` followed by `ts` with the posting or active key of the account. Sets the cookies of the session. Each signature is good for one use.',
    errors: ['invalid-request', 'invalid-signature', 'proof-expired', 'proof-replayed', 'account-not-found'],
    credentials: [],
  })
  @UseGuards(LoginLimitGuard)
  async logIn(
    @Query({ schema: loginQuery }) query: LoginQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoginSession> {
    const device = { browser: browserIn(request.headers['user-agent']?.slice(0, 512) ?? ''), ip: request.ip };
    const session = await this.sessions.logIn(query, device);
    // Else a stranger's page could log its visitor in as somebody of the stranger's choice.
    if (cookiesCount(request.headers, this.config.cookies)) {
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

  /** Answers who the caller is; an access token that is no longer good is replaced by means of the refresh token. */
  @Get('users/verify')
  @Answers(renewedSession, {
    summary: 'Says whose session it is; renews an access token that is no longer good',
    credentials: anyCredentials,
  })
  async verify(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RenewedSession> {
    try {
      const claims = await this.sessions.authenticate(this.tokensOf(request), ['access']);
      const { token: ws_token } = this.sessions.grantWebsocket(claims);
      return { username: claims.account, ws_token, token: claims.token };
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'unauthenticated') return this.refreshToken(request, reply);
      throw error;
    }
  }

  @Get('users/refresh-token')
  @Answers(renewedSession, {
    summary: 'Gives new tokens for the refresh token',
    description: 'Extends the open WebSockets of the session too. The refresh token stays the same.',
    credentials: refreshCredentials,
  })
  async refreshToken(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RenewedSession> {
    const session = await this.sessions.renew(this.tokensOf(request));
    const [refreshToken] = presentedTokens(request.headers, [refreshCookie], this.config.cookies).cookies;
    // Renewed by a token in the header, beside the cookies of another session: the two must not be mixed.
    const isOfAnother = refreshToken !== undefined && this.sessions.isOfAnother(refreshToken, session);
    if (!isOfAnother && cookiesCount(request.headers, this.config.cookies)) {
      this.cookies.set(reply, session.accessToken.token);
    }
    return { username: session.account, ws_token: session.websocketToken.token, token: session.accessToken.token };
  }

  @Get('refresh-token')
  @Answers(renewedSession, {
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
  @Answers(undefined, {
    summary: 'Ends the session, closes its WebSockets and clears its cookies',
    credentials: anyCredentials,
  })
  async logOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    // Cleared though they be dead: the page cannot remove them itself. But not for a stranger's page.
    if (cookiesCount(request.headers, this.config.cookies)) this.cookies.clear(reply);
    await this.sessions.logOut(this.tokensOf(request));
  }

  @UseInterceptors(ListReadsInterceptor)
  @Get('users/sessions')
  @Answers([sessionInfo], {
    summary: 'The sessions of the caller, the newest first',
    description: 'Page by page: a response has at most 400 sessions.',
    errors: ['invalid-request'],
    headers: pageHeaders,
  })
  @UseGuards(AccessGuard)
  async list(
    @Caller() caller: string,
    @CallerSession() current: string,
    @Query({ schema: pageQuery }) { cursor }: PageQuery,
    @AnnounceNextPage() announce: NextPage,
  ): Promise<SessionInfo[]> {
    const { sessions, next } = await this.sessions.list(caller, current, cursor);
    announce(next);
    return sessions;
  }

  @Post('users/revoke-session')
  @Answers(sessionRevoked, { summary: 'Ends a session of the caller', errors: ['invalid-request', 'not-found'] })
  @UseGuards(AccessGuard)
  async revoke(
    @Caller() caller: string,
    @Body({ schema: revokeSessionBody }) { id }: RevokeSessionBody,
  ): Promise<SessionRevoked> {
    await this.sessions.revoke(caller, id);
    return { success: true };
  }

  private tokensOf(request: FastifyRequest): Presented {
    return presentedTokens(request.headers, [accessCookie, refreshCookie], this.config.cookies);
  }
}
