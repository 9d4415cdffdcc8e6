import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { loginQuery } from '@waggle/contracts';
import { type FastifyRequest } from 'fastify';
import { AddressLimits } from '../address-limits';

/** The account of a log-in. A malformed request has none, and is rejected later. */
const accountQuery = loginQuery.pick({ username: true });

/**
 * Limits log-ins, successful or not, by client (`LOGINS_PER_MINUTE`) and by account and client
 * (`ACCOUNT_LOGINS_PER_MINUTE`), before their signature is verified, which calls Hive nodes.
 */
@Injectable()
export class LoginLimitGuard implements CanActivate {
  constructor(private readonly limits: AddressLimits) {}

  /** @throws ServiceError `rate-limited` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { client, query } = context.switchToHttp().getRequest<FastifyRequest>();
    const account = accountQuery.safeParse(query).data?.username;
    // First, so that endless attempts for one account do not exhaust the limit of the address.
    if (account !== undefined) await this.limits.accountLogins.consume(client, account);
    await this.limits.logins.consume(client);
    return true;
  }
}
