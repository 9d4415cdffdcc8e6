import '@fastify/cookie';
import { Controller, Get, HttpCode, Inject, Query, Req, Res } from '@nestjs/common';
import { loginQuery, type LoginQuery, type LoginSession, type RenewedSession } from '@waggle/contracts';
import { ServiceError } from '@waggle/service';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { accessCookie, cookiesCount, presentedTokens, refreshCookie, type Presented } from './credentials';
import { SessionCookies } from './session-cookies';
import { SessionsService } from './sessions.service';

@Controller('users')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly cookies: SessionCookies,
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {}

  @Get('login')
  async logIn(
    @Query({ schema: loginQuery }) query: LoginQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoginSession> {
    const device = { userAgent: request.headers['user-agent']?.slice(0, 512) ?? null, ip: request.ip };
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
  @Get('verify')
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

  @Get('refresh-token')
  async refreshToken(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RenewedSession> {
    const session = await this.sessions.renew(this.tokensOf(request));
    this.cookies.set(reply, session.accessToken.token);
    return { username: session.account, ws_token: session.websocketToken.token, token: session.accessToken.token };
  }

  @Get('logout')
  @HttpCode(204)
  async logOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    // Cleared in any case: the page cannot remove them itself, and dead ones are of no use.
    this.cookies.clear(reply);
    await this.sessions.logOut(this.tokensOf(request));
  }

  private tokensOf(request: FastifyRequest): Presented {
    return presentedTokens(request.headers, [accessCookie, refreshCookie], this.config.cookies);
  }
}
