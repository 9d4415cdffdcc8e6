import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { SESSION_SETTINGS, type SessionSettings } from './session-settings';
import { accessCookie, refreshCookie } from '../credentials';

/** The cookies of a session, for clients that do not store tokens. */
@Injectable()
export class SessionCookies {
  constructor(@Inject(SESSION_SETTINGS) private readonly settings: SessionSettings) {}

  /** Sets the cookie of the access token, and of the refresh token if there is a new one. */
  set(reply: FastifyReply, accessToken: string, refreshToken?: string): void {
    const { accessMs, refreshMs } = this.settings.tokens;
    void reply.setCookie(accessCookie, accessToken, { ...this.attributes(), maxAge: Math.ceil(accessMs / 1_000) });
    if (refreshToken !== undefined) {
      void reply.setCookie(refreshCookie, refreshToken, { ...this.attributes(), maxAge: Math.ceil(refreshMs / 1_000) });
    }
  }

  clear(reply: FastifyReply): void {
    void reply.clearCookie(accessCookie, this.attributes());
    void reply.clearCookie(refreshCookie, this.attributes());
  }

  private attributes() {
    const { secure, sameSite } = this.settings.cookies;
    // Browsers that block third-party cookies accept them in a frame if each embedding site has its own (CHIPS).
    return { path: '/', httpOnly: true, secure, sameSite, partitioned: sameSite === 'none' };
  }
}
