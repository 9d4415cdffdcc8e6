import { Inject, Injectable } from '@nestjs/common';
import { type LoginQuery } from '@waggle/contracts';
import { isUniqueViolation } from '@waggle/service';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { hashOfProof, LoginProof, usedBefore } from './login-proof';
import { SessionsStore } from './sessions.store';
import { Tokens, type GrantedSession, type IssuedToken } from './tokens';

/** The client that logs in, for the list of sessions. */
export interface Device {
  /** Name and version of the browser, such as `Firefox 140.0`; null if unknown. */
  browser: string | null;
  ip: string | null;
}

/** Starts sessions. */
@Injectable()
export class LoginService {
  constructor(
    private readonly proof: LoginProof,
    private readonly store: SessionsStore,
    private readonly tokens: Tokens,
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
    const sessionId = await this.store
      .create({ account, proof: hashOfProof(query), signingKey, ...device, expiresAt })
      .catch(async (error: unknown) => {
        if (isUniqueViolation(error)) throw usedBefore();
        // If this fails as well, the proof stays used and the client needs a new signature.
        await this.proof.release(query).catch(() => undefined);
        throw error;
      });
    return {
      ...this.tokens.grant({ account, sessionId }),
      refreshToken: this.tokens.issue('refresh', { account, sessionId }),
      admin: this.config.admins.includes(account),
    };
  }
}
