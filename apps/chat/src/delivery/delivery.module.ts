import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Platform } from '@waggle/service';
import { SHARED_REDIS } from '@waggle/service/login';
import { LogModule } from '../log/log.module';
import { RealtimeModule } from '../realtime/realtime.module';
import { BUS } from './bus/bus';
import { CatchUp } from './catch-up';
import { ChangeTransactions } from './change-transactions';
import { CommitPoll } from './commit-poll';
import { Cursor } from './cursor';
import { Delivery } from './delivery';
import { DeliveryMetrics } from './delivery.metrics';
import { Failover } from './failover';
import { FanOut } from './fan-out';
import { openBus } from './bus/open-bus';
import { Peers } from './peers';
import { PendingReplies } from './pending-replies';
import { RequestReplies } from './request-replies';
import { Resumption } from './resumption';
import { OpenStreams } from './open-streams';

/** Delivers what is committed, in order, to the accounts that are connected to this instance. */
@Module({
  imports: [LogModule, RealtimeModule],
  providers: [
    CatchUp,
    ChangeTransactions,
    CommitPoll,
    Cursor,
    Delivery,
    DeliveryMetrics,
    Failover,
    FanOut,
    OpenStreams,
    Peers,
    PendingReplies,
    RequestReplies,
    Resumption,
    { provide: BUS, inject: [Platform, SHARED_REDIS], useFactory: openBus },
  ],
  exports: [CatchUp, ChangeTransactions, Cursor, Delivery, Resumption],
})
export class DeliveryModule implements OnApplicationBootstrap {
  constructor(
    private readonly failover: Failover,
    private readonly commitPoll: CommitPoll,
  ) {}

  /**
   * Reads the timeline before the first poll: a new timeline sets the cursor back by a minute, and the poll advances it
   * again.
   */
  async onApplicationBootstrap(): Promise<void> {
    await this.failover.check();
    await this.commitPoll.poll();
  }
}
