import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { tokenIn } from '@waggle/service';
import { type FastifyRequest } from 'fastify';
import { noValidToken } from '../errors';
import { Authentication } from './authentication';
import { SessionsService, type SessionIdentity } from './sessions.service';

const sessionOf = new WeakMap<FastifyRequest, SessionIdentity>();

/** Requires the token of a valid session whose key is still one of the account's, as of its last check. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly authentication: Authentication,
    private readonly sessions: SessionsService,
  ) {}

  /** @throws ServiceError `unauthenticated`, `chain-unavailable`, `rate-limited` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const session = await this.authentication.authenticate(tokenIn(request.headers.authorization));
    // Not within `authenticate`, whose limit per token would make log-outs wait for the chain.
    await this.sessions.requireValidKey(session);
    sessionOf.set(request, session);
    return true;
  }
}

/** The caller's session; for handlers behind `SessionGuard`. */
export const CallerSession = createParamDecorator((_data: unknown, context: ExecutionContext): SessionIdentity => {
  const session = sessionOf.get(requestOf(context));
  if (session === undefined) throw noValidToken();
  return session;
});

/** The account of a request that `SessionGuard` admitted; otherwise undefined. */
export function findAccountOf(request: FastifyRequest): string | undefined {
  return sessionOf.get(request)?.account;
}

/** The unverified token of the call, if any; for handlers without the guard. */
export const Token = createParamDecorator((_data: unknown, context: ExecutionContext): string | undefined =>
  tokenIn(requestOf(context).headers.authorization),
);

function requestOf(context: ExecutionContext): FastifyRequest {
  return context.switchToHttp().getRequest<FastifyRequest>();
}
