import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { erasureText, type Erasure, type ErasureBody } from '@waggle/contracts';
import { inTransaction, LOGGER, type Logger, observeValue, POOL, Registry, ThrottledLog } from '@waggle/service';
import { type Pool } from 'pg';
import { BackgroundTask } from '../background-task';
import { ChatError } from '../errors';
import { LoginService } from '../sessions/login.service';
import { beingErased, pendingErasure } from '../sessions/pending-erasure';
import { Eraser } from './eraser';
import { pendingErasures, postponeErasure, requestErasure, revokeSessions } from './erasure.statements';

/** Interval of sweeps while accounts are being erased, in milliseconds. */
const busyIntervalMs = 100;
/** Interval of sweeps otherwise, in milliseconds. */
const idleIntervalMs = 5_000;

/** Accepts requests to erase accounts. Executes the requests of all instances in the background. */
@Injectable()
export class ErasureService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: BackgroundTask;
  /** The age of the oldest request, as of the last sweep. */
  private oldestAgeSeconds = 0;
  private readonly failures: ThrottledLog;

  constructor(
    private readonly eraser: Eraser,
    private readonly logins: LoginService,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(Registry) metrics: Registry,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    observeValue(
      metrics,
      'chat_erasure_age_seconds',
      'Time since the oldest request to erase an account that is being erased, 0 if there is none',
      () => this.oldestAgeSeconds,
    );
    this.failures = ThrottledLog.errors(logger, 'cannot erase the data of an account');
    const sweep = async () => ((await this.sweep()) ? busyIntervalMs : idleIntervalMs);
    this.task = new BackgroundTask(sweep, this.failures, idleIntervalMs);
  }

  onApplicationBootstrap(): void {
    void this.task.start();
  }

  /** Waits for the current batch. */
  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  /**
   * Ends all sessions of an account, and has its data erased.
   *
   * @throws ServiceError `being-erased` if that has begun already; and as `LoginService.useProof`, also
   * `invalid-signature` for a key of a trusted account
   */
  async request(account: string, signed: ErasureBody): Promise<Erasure> {
    const { signer, release } = await this.logins.useProof(account, erasureText(account, signed.ts), signed);
    if (signer !== account) throw new ChatError('invalid-signature', 'only a key of the account itself may sign this');
    try {
      const requestedAt = await inTransaction(this.pool, async (client) => {
        const row = await requestErasure.find(client, { account, signedAt: new Date(Number(signed.ts)) });
        if (row === undefined) {
          if ((await pendingErasure.execute(client, { account })) > 0) throw beingErased();
          throw new ChatError('proof-replayed', 'this signature was used before; sign a new ts');
        }
        await revokeSessions.execute(client, { account });
        return row.requested_at.toISOString();
      });
      // A line of the log of erasures, for operators who collect it.
      const line = {
        account,
        signed_at: new Date(Number(signed.ts)).toISOString(),
        requested_at: requestedAt,
        finished_at: null,
      };
      this.logger.info(line, 'an account has requested to erase its data');
      return { requested_at: requestedAt };
    } catch (error) {
      if (!(error instanceof ChatError)) await release();
      throw error;
    }
  }

  /** Erases a batch of each account whose turn it is. @returns whether any account is being erased */
  async sweep(): Promise<boolean> {
    const accounts = await pendingErasures.query(this.pool, {});
    // Each row has it.
    this.oldestAgeSeconds = accounts[0]?.oldest_age ?? 0;
    for (const { account, is_due } of accounts) {
      if (!is_due || this.task.isStopping) break;
      try {
        await this.eraser.eraseBatch(account);
      } catch (error) {
        this.failures.log(error);
        await postponeErasure.execute(this.pool, { account });
      }
    }
    return accounts.length > 0;
  }
}
