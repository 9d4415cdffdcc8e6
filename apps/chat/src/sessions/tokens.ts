import { Inject, Injectable } from '@nestjs/common';
import { JwtService, type JwtModuleOptions } from '@nestjs/jwt';
import { accountName } from '@waggle/contracts';
import { type SigningKey } from '@waggle/service';
import { z } from 'zod';
import { SESSION_SETTINGS, type SessionSettings } from './session-settings';

/** What a token is for: REST calls and the WebSocket, renewals, or the WebSocket only. */
export const tokenUses = ['access', 'refresh', 'websocket'] as const;
export type TokenUse = (typeof tokenUses)[number];

/** The verified claims of a token. They do not say whether the session still exists. */
export interface TokenClaims {
  account: string;
  sessionId: string;
  issuedAtMs: number;
  expiresAtMs: number;
}

/** A new token, for the client. */
export interface IssuedToken {
  token: string;
  expiresAtMs: number;
}

/** A valid session with new tokens. */
export interface GrantedSession {
  account: string;
  sessionId: string;
  accessToken: IssuedToken;
  websocketToken: IssuedToken;
}

type SessionOfAccount = Pick<TokenClaims, 'account' | 'sessionId'>;

const issuer = 'waggle-chat';
/** The claims in a token, by their names in JWT (RFC 7519); `sid` is the session. */
const claims = z.object({
  sub: accountName,
  sid: z.string(),
  aud: z.enum(tokenUses),
  iat: z.number(),
  exp: z.number(),
});

/** The settings of the JWT module: it signs and verifies with the service's own key, by ES256 only. */
export function jwtOptions({ privateKey, publicKey, id }: SigningKey): JwtModuleOptions {
  return {
    privateKey,
    publicKey,
    signOptions: { algorithm: 'ES256', keyid: id, issuer },
    verifyOptions: { algorithms: ['ES256'], issuer },
  };
}

/** Signs and reads the chat's tokens. */
@Injectable()
export class Tokens {
  constructor(
    private readonly jwt: JwtService,
    @Inject(SESSION_SETTINGS) private readonly settings: SessionSettings,
  ) {}

  /** Issues access and WebSocket tokens for a valid session. */
  grant(session: SessionOfAccount): GrantedSession {
    const { account, sessionId } = session;
    return {
      account,
      sessionId,
      accessToken: this.issue('access', session),
      websocketToken: this.issue('websocket', session),
    };
  }

  /** Issues a token for one use. */
  issue(use: TokenUse, { account, sessionId }: SessionOfAccount): IssuedToken {
    const { accessMs, refreshMs, websocketMs } = this.settings.tokens;
    const lifetimesMs = { access: accessMs, refresh: refreshMs, websocket: websocketMs };
    // A token's times are whole seconds.
    const exp = Math.floor((Date.now() + lifetimesMs[use]) / 1_000);
    const token = this.jwt.sign({ sid: sessionId, exp }, { audience: use, subject: account });
    return { token, expiresAtMs: exp * 1_000 };
  }

  /** Whether a token was issued by this service and has expired. */
  isExpired(token: string): boolean {
    const expiresAtMs = this.read(token, tokenUses, { ignoreExpiration: true })?.expiresAtMs;
    return expiresAtMs !== undefined && expiresAtMs <= Date.now();
  }

  /**
   * Returns the claims of a token that this service issued for one of the uses; undefined if it is invalid or expired.
   */
  read(
    token: string,
    uses: readonly TokenUse[],
    options: { ignoreExpiration?: boolean } = {},
  ): TokenClaims | undefined {
    try {
      const payload: unknown = this.jwt.verify(token, options);
      const { sub, sid, aud, iat, exp } = claims.parse(payload);
      if (!uses.includes(aud)) return undefined;
      return { account: sub, sessionId: sid, issuedAtMs: iat * 1_000, expiresAtMs: exp * 1_000 };
    } catch {
      // No caller learns the reason: it would help a forger.
      return undefined;
    }
  }
}
