import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { loginQuery } from '@waggle/contracts';
import { addressKey } from '@waggle/service';
import { type FastifyRequest } from 'fastify';
import { RateLimits } from './rate-limits';

/** Whom a log-in is for; nobody where the request is malformed, which is refused later. */
const whom = loginQuery.pick({ username: true });

/** Counts log-ins, right and wrong, before their signature is looked at: that asks the Hive nodes. */
@Injectable()
export class LoginLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  /** @throws ServiceError `rate-limited` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { ip, query } = context.switchToHttp().getRequest<FastifyRequest>();
    const address = addressKey(ip);
    const account = whom.safeParse(query).data?.username;
    // First, so that one account that tries without end does not use up what its neighbours at the address have.
    if (account !== undefined) await this.limits.accountLogins.consume(`${account}@${address}`);
    await this.limits.logins.consume(address);
    return true;
  }
}
