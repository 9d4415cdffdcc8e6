import { randomUUID, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { JwtSecretRequestType, JwtService, type JwtModuleOptions } from '@nestjs/jwt';
import { videoNetwork, videoTokenClaims, type VideoTokenClaims } from '@waggle/contracts';
import { z } from 'zod';
import { TokenKeys } from './token-keys';
import { TOKEN_SETTINGS, type TokenSettings } from './token-settings';

/**
 * The settings of the JWT module: ES256 and nothing else, signed by the current key, verified by the key of the token's
 * `kid`.
 */
export function jwtOptions(keys: TokenKeys, { issuer, audience }: TokenSettings): JwtModuleOptions {
  return {
    secretOrKeyProvider: (request, token) =>
      request === JwtSecretRequestType.SIGN ? keys.current.privateKey : verifyingKey(keys, token),
    signOptions: { algorithm: 'ES256', issuer, audience },
    verifyOptions: { algorithms: ['ES256'], issuer, audience },
  };
}

async function verifyingKey(keys: TokenKeys, token: unknown): Promise<KeyObject> {
  if (typeof token !== 'string') throw new TypeError('a token is a text');
  const key = await keys.find(kidOf(token));
  if (key === undefined) throw new Error('no key has this kid');
  return key;
}

const tokenHeader = z.object({ kid: z.string() });

/** The kid of the header, which is not verified yet. @throws Error if there is none */
function kidOf(token: string): string {
  const [header = ''] = token.split('.', 1);
  return tokenHeader.parse(JSON.parse(Buffer.from(header, 'base64url').toString())).kid;
}

/** Issue and expiry time of a token, in whole seconds since 1970. */
interface TokenLifetime {
  issuedAtSeconds: number;
  expiresAtSeconds: number;
}

/** Account, session and lifetime of a new token. */
interface TokenSubject extends TokenLifetime {
  account: string;
  sessionId: string;
}

/** Signs and reads the tokens of the video log-in. */
@Injectable()
export class Tokens {
  constructor(
    private readonly jwt: JwtService,
    private readonly keys: TokenKeys,
    @Inject(TOKEN_SETTINGS) private readonly settings: TokenSettings,
  ) {}

  /** Returns the lifetime of a token that is issued now. The session is stored first, with the same expiry. */
  lifetime(): TokenLifetime {
    const issuedAtSeconds = Math.floor(Date.now() / 1_000);
    return { issuedAtSeconds, expiresAtSeconds: issuedAtSeconds + Math.floor(this.settings.lifetimeMs / 1_000) };
  }

  /** Signs a token for a session. */
  issue({ account, sessionId, issuedAtSeconds, expiresAtSeconds }: TokenSubject): string {
    const claims = {
      sub: `singleton/${videoNetwork}/${account}`,
      jti: randomUUID(),
      sid: sessionId,
      iat: issuedAtSeconds,
      exp: expiresAtSeconds,
      type: 'singleton',
      username: account,
      network: videoNetwork,
    };
    // `sign` reads the current key in the same turn of the event loop, so the id belongs to the key that signs.
    return this.jwt.sign(claims, { keyid: this.keys.current.id });
  }

  /** Returns the claims of a valid token of this service; undefined for any other. Does not check the session. */
  async read(token: string): Promise<VideoTokenClaims | undefined> {
    try {
      return videoTokenClaims.parse(await this.jwt.verifyAsync<object>(token));
    } catch {
      // Details of an invalid token would only help to forge one.
      return undefined;
    }
  }
}
