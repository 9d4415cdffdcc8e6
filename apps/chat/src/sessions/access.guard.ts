import { createParamDecorator, Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { ChatError } from '../errors';
import { accessCookie, presentedTokens } from './credentials';
import { SessionsService } from './sessions.service';

const callers = new WeakMap<FastifyRequest, string>();

/** Lets a REST call through that carries an access token of a live session, as Bearer, bare, or as a cookie. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly sessions: SessionsService,
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const tokens = presentedTokens(request.headers, [accessCookie], this.config.cookies);
    const { account } = await this.sessions.authenticate(tokens, ['access']);
    callers.set(request, account);
    return true;
  }
}

/** The account that makes the call; for handlers behind `AccessGuard`. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): string => {
  const account = callers.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (account === undefined) throw new ChatError('unauthenticated', 'no valid credentials');
  return account;
});
