import { Inject, Injectable } from '@nestjs/common';
import { JwtService, type JwtModuleOptions } from '@nestjs/jwt';
import { accountName } from '@waggle/contracts';
import { type SigningKey } from '@waggle/service';
import { z } from 'zod';
import { CHAT_CONFIG, type ChatConfig } from '../config';

/** What a token is good for: REST calls, renewing, or the WebSocket alone. */
export const tokenUses = ['access', 'refresh', 'websocket'] as const;
export type TokenUse = (typeof tokenUses)[number];

/** Who a token speaks for. Whether the session still lives is the database's to say. */
export interface TokenClaims {
  account: string;
  sessionId: string;
  issuedAtMs: number;
  expiresAtMs: number;
}

export interface IssuedToken {
  token: string;
  expiresAtMs: number;
}

const issuer = 'waggle-chat';
const claims = z.object({
  sub: accountName,
  sid: z.string(),
  aud: z.enum(tokenUses),
  iat: z.number(),
  exp: z.number(),
});

/** The settings of the JWT module: ES256 and nothing else, signed and verified by the service's own key. */
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
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {}

  issue(use: TokenUse, { account, sessionId }: Pick<TokenClaims, 'account' | 'sessionId'>): IssuedToken {
    const { accessMs, refreshMs, websocketMs } = this.config.tokens;
    const lifetimesMs = { access: accessMs, refresh: refreshMs, websocket: websocketMs };
    // A token's times are whole seconds.
    const exp = Math.floor((Date.now() + lifetimesMs[use]) / 1_000);
    const token = this.jwt.sign({ sid: sessionId, exp }, { audience: use, subject: account });
    return { token, expiresAtMs: exp * 1_000 };
  }

  /** Whether a token is ours and past its time. */
  isExpired(token: string): boolean {
    const expiresAtMs = this.read(token, tokenUses, true)?.expiresAtMs;
    return expiresAtMs !== undefined && expiresAtMs <= Date.now();
  }

  /** The claims of a token that is ours, for one of the uses, and unexpired unless that is allowed; else undefined. */
  read(token: string, uses: readonly TokenUse[], ignoreExpiration = false): TokenClaims | undefined {
    try {
      const payload: unknown = this.jwt.verify(token, { ignoreExpiration });
      const { sub, sid, aud, iat, exp } = claims.parse(payload);
      if (!uses.includes(aud)) return undefined;
      return { account: sub, sessionId: sid, issuedAtMs: iat * 1_000, expiresAtMs: exp * 1_000 };
    } catch {
      // Whatever is wrong with it, it proves nothing, and which fault it was would only help a forger.
      return undefined;
    }
  }
}
