import { createParamDecorator, Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AuthenticationLimiter } from '@waggle/service';
import { type FastifyRequest } from 'fastify';
import { SESSION_SETTINGS, type SessionSettings } from './session-settings';
import { ChatError } from '../errors';
import { accessCookie, presentedTokens } from '../credentials';
import { SessionsService } from './sessions.service';
import { type TokenClaims } from './tokens';

const claimsOf = new WeakMap<FastifyRequest, TokenClaims>();

/** Allows REST calls with an access token of a valid session: as Bearer token, without that prefix, or as a cookie. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly sessions: SessionsService,
    private readonly authenticationLimiter: AuthenticationLimiter,
    @Inject(SESSION_SETTINGS) private readonly settings: SessionSettings,
  ) {}

  /**
   * Checks the access token of a request. @throws ServiceError `unauthenticated`; `rate-limited` as
   * `AuthenticationLimiter`
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const tokens = presentedTokens(request.headers, [accessCookie], this.settings.cookies);
    const credentials = tokens.header ?? tokens.cookies[0];
    const claims = await this.authenticationLimiter.run(credentials, () =>
      this.sessions.authenticate(tokens, ['access']),
    );
    claimsOf.set(request, claims);
    return true;
  }
}

/** The account that makes the call; for handlers behind `AccessGuard`. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): string => {
  return accountOf(context);
});

/** The id of the caller's session; for handlers behind `AccessGuard`. */
export const CallerSessionId = createParamDecorator((_data: unknown, context: ExecutionContext): string => {
  return claimsIn(context).sessionId;
});

/** The account that makes the call; undefined if `AccessGuard` did not allow it. */
export function findAccountOf(request: FastifyRequest): string | undefined {
  return claimsOf.get(request)?.account;
}

/** The account that makes the call; for guards behind `AccessGuard`. */
export function accountOf(context: ExecutionContext): string {
  return claimsIn(context).account;
}

function claimsIn(context: ExecutionContext): TokenClaims {
  const claims = claimsOf.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (claims === undefined) throw new ChatError('unauthenticated', 'no valid credentials');
  return claims;
}
