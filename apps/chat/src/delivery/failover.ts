import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '@waggle/service';
import { type Timeline, TimelineStore } from '../log/timeline.store';
import { Connections } from '../realtime/connections';
import { Delivery } from './delivery';
import { UndeliveredCommits } from './undelivered-commits';

/**
 * Notices that another database has taken over. A standby that was promoted may lack commits that were delivered here, and gives their
 * sequence numbers to other entries. So unless replication was synchronous and nothing is missing, the instance closes all connections
 * and forgets what it has delivered. Clients that come back are refused their cursor, which is of the former timeline, and fetch anew.
 */
@Injectable()
export class Failover {
  private current: Timeline | undefined;

  constructor(
    private readonly timelines: TimelineStore,
    private readonly delivery: Delivery,
    private readonly connections: Connections,
    private readonly commits: UndeliveredCommits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Restarts the delivery if another database may lack commits. @returns the id of the database's timeline */
  async check(): Promise<string> {
    const timeline = await this.timelines.read();
    if (this.current !== undefined && timeline.id !== this.current.id) await this.takeOver(this.current);
    this.current = timeline;
    return timeline.id;
  }

  private async takeOver({ isSynchronous }: Timeline): Promise<void> {
    // Commits on the former database that were acknowledged are delivered before this resolves.
    await this.commits.delivered();
    if (isSynchronous && !(await this.timelines.lacksAny(this.delivery.positions()))) {
      this.logger.warn('another database has taken over by synchronous replication: it has all that was delivered');
      return;
    }
    this.logger.error(
      { connections: this.connections.size },
      'another database has taken over and may lack commits: all connections are closed, and clients fetch anew',
    );
    for (const connection of this.connections.all()) connection.close('unavailable');
    this.delivery.restart();
  }
}
