import { Controller, Get, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { accountExistence, accountQuery, type AccountExistence, type AccountQuery } from '@waggle/contracts';
import { Accounts } from './accounts';
import { RespondsWith } from './api-description/responds-with';
import { AccessGuard } from './sessions/access.guard';
import { QueueListReads } from './sessions/queue-list-reads.interceptor';

/** Looks up accounts for clients that let users type a name. */
@Controller('users/account')
@UseGuards(AccessGuard)
// One look-up at a time for each caller: it may take a call to a Hive node.
@UseInterceptors(QueueListReads)
export class AccountsController {
  constructor(private readonly accounts: Accounts) {}

  @Get()
  @RespondsWith(accountExistence, { summary: 'Whether an account exists', errors: ['invalid-request'] })
  async find(@Query({ schema: accountQuery }) { username }: AccountQuery): Promise<AccountExistence> {
    return { username, exists: await this.accounts.exists(username) };
  }
}
