import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { loginQuery } from '@waggle/contracts';
import { LoginLimits } from '@waggle/service/login';
import { type FastifyRequest } from 'fastify';

/** The account of a log-in. A malformed request has none, and is rejected later. */
const accountQuery = loginQuery.pick({ username: true });

/**
 * Limits log-ins, successful or not, by client (`LOGINS_PER_MINUTE`) and by account and client
 * (`ACCOUNT_LOGINS_PER_MINUTE`), before their signature is verified, which calls Hive nodes.
 */
@Injectable()
export class LoginLimitGuard implements CanActivate {
  constructor(private readonly limits: LoginLimits) {}

  /** @throws ServiceError `rate-limited` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { client, query } = context.switchToHttp().getRequest<FastifyRequest>();
    await this.limits.count(client, accountQuery.safeParse(query).data?.username);
    return true;
  }
}
