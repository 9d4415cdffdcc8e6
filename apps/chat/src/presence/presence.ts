import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger, RepeatedLine } from '@waggle/service';
import { type Connection } from '../realtime/connection';
import { Connections } from '../realtime/connections';
import { Streams } from '../streams/streams';
import { PRESENCE_REGISTER, type PresenceRegister } from './presence-register';
import { PresenceStore } from './presence.store';

const refreshEveryMs = 30_000;
/** So many comings and goings are told at a time; in a storm of them the others are left out. */
const tellingMost = 100;

/** Tells friends who is connected. A hint: nothing waits for it, and nothing makes up for one that is lost. */
@Injectable()
export class Presence implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private underWay = 0;
  private stopped = false;
  private readonly faults: RepeatedLine;

  constructor(
    private readonly streams: Streams,
    private readonly store: PresenceStore,
    connections: Connections,
    @Inject(PRESENCE_REGISTER) private readonly register: PresenceRegister,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.faults = new RepeatedLine((leftOut, err) => {
      logger.warn({ err, leftOut }, 'cannot tell who is connected');
    });
    streams.onPresence = (account, isPresent) => {
      void this.attempt(() => (isPresent ? this.entered(account) : this.left(account)));
    };
    connections.onAsked = (connection) => {
      if (connection.has('presence')) void this.attempt(() => this.greet(connection));
    };
  }

  onApplicationBootstrap() {
    this.timer = setInterval(() => {
      void this.attempt(() => this.register.refresh(this.streams.accounts()));
    }, refreshEveryMs);
  }

  onModuleDestroy() {
    this.stopped = true;
    clearInterval(this.timer);
  }

  private async entered(account: string) {
    if (await this.register.enter(account)) await this.tellFriends(account, true);
  }

  private async left(account: string) {
    if (await this.register.leave(account)) await this.tellFriends(account, false);
  }

  private async tellFriends(username: string, online: boolean) {
    for (const friend of await this.store.findFriends(username)) {
      const payload = { username, online };
      this.streams.mention(friend, { type: 'presence-changed', payload, to: [friend] });
    }
  }

  /** Who of the friends is connected now. */
  private async greet(connection: Connection) {
    const account = connection.authentication?.account;
    if (account === undefined) return;
    for (const username of await this.register.among(await this.store.findFriends(account))) {
      // Also to one that resumes, which is told no hints of what happens meanwhile.
      connection.sendPast('presence-changed', { username, online: true });
    }
  }

  private async attempt(work: () => Promise<void>) {
    if (this.stopped || this.underWay >= tellingMost) return;
    this.underWay += 1;
    try {
      await work();
    } catch (error) {
      this.report(error);
    } finally {
      this.underWay -= 1;
    }
  }

  /** What fails because everything ends is no fault. */
  private report(error: unknown) {
    if (!this.stopped) this.faults.say(error);
  }
}
