import { Injectable } from '@nestjs/common';
import { AuthenticationLimiter } from '@waggle/service';
import { noValidToken } from '../errors';
import { Tokens } from '../tokens/tokens';
import { SessionsStore, type ValidSession } from './sessions.store';

/** Finds the sessions of tokens. */
@Injectable()
export class Authentication {
  constructor(
    private readonly tokens: Tokens,
    private readonly store: SessionsStore,
    private readonly limiter: AuthenticationLimiter,
  ) {}

  /**
   * Finds the valid session of a token, without checking its key. At most two calls with one token run at a time.
   *
   * @throws VideoAuthError `unauthenticated`
   * @throws ServiceError `rate-limited`
   */
  authenticate(token: string | undefined): Promise<ValidSession> {
    return this.limiter.run(token, () => this.findValid(token));
  }

  private async findValid(token: string | undefined): Promise<ValidSession> {
    const claims = token === undefined ? undefined : await this.tokens.read(token);
    const session = claims === undefined ? undefined : await this.store.findValid(claims.sid);
    if (session === undefined || session.account !== claims?.username) throw noValidToken();
    return session;
  }
}
