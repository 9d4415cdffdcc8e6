import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { LOGGER, type Logger, RepeatedLine } from '@waggle/service';
import { Delivery } from '../delivery/delivery';
import { type Connection } from '../realtime/connection';
import { Connections } from '../realtime/connections';
import { PRESENCE_REGISTER, refreshEveryMs, type PresenceRegister } from './presence-register';
import { PresenceStore } from './presence.store';

/** So many comings and goings wait to be told; in a storm of them the others are left out. */
const untoldMost = 10_000;
/** So many are greeted at a time. */
const greetingMost = 100;
/** So long what waits is still told when the instance ends. */
const farewellMs = 2_000;

/**
 * Tells friends who is connected. That is a hint: nothing waits for it, and nothing makes up for one that is lost. Who is
 * connected is noted all the same.
 */
@Injectable()
export class Presence implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private greeting = 0;
  /** What is being noted or asked. */
  private readonly underWay = new Set<Promise<void>>();
  /** What is to be told, of each account the last that became true. */
  private readonly untold = new Map<string, boolean>();
  private telling: Promise<void> | undefined;
  private stopped = false;
  private readonly faults: RepeatedLine;

  constructor(
    private readonly delivery: Delivery,
    private readonly store: PresenceStore,
    connections: Connections,
    @Inject(PRESENCE_REGISTER) private readonly register: PresenceRegister,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.faults = new RepeatedLine((leftOut, err) => {
      logger.warn({ err, leftOut }, 'cannot tell who is connected');
    });
    delivery.on('connected', (account) => {
      this.attempt(() => this.entered(account));
    });
    delivery.on('disconnected', (account) => {
      this.attempt(() => this.left([account]));
    });
    connections.on('capable', (connection) => {
      if (connection.has('presence')) this.attempt(() => this.greet(connection));
    });
  }

  onApplicationBootstrap() {
    this.timer = setInterval(() => {
      this.attempt(() => this.refresh());
    }, refreshEveryMs);
  }

  onModuleDestroy() {
    clearInterval(this.timer);
  }

  /** Connections have been closed by now; whose end has not come yet is gone all the same. */
  async beforeApplicationShutdown() {
    this.attempt(() => this.left(this.delivery.connectedAccounts()));
    this.stopped = true;
    await Promise.all(this.underWay);
    const timer = setTimeout(() => {
      this.untold.clear();
    }, farewellMs);
    await this.telling;
    clearTimeout(timer);
  }

  private async entered(account: string) {
    if (await this.register.enter(account)) this.tellLater(account, true);
  }

  private async left(accounts: readonly string[]) {
    for (const account of await this.register.leave(accounts)) this.tellLater(account, false);
  }

  private async refresh() {
    const { come, gone } = await this.register.refresh(this.delivery.connectedAccounts());
    for (const account of come) this.tellLater(account, true);
    for (const account of gone) this.tellLater(account, false);
  }

  private tellLater(account: string, online: boolean) {
    if (this.untold.size >= untoldMost) return;
    this.untold.set(account, online);
    this.telling ??= this.tellAll();
  }

  /** One after another: of two things about one account the later must be told last. */
  private async tellAll() {
    for (const [account, online] of this.untold) {
      this.untold.delete(account);
      await this.tellFriends(account, online).catch((error: unknown) => {
        this.report(error);
      });
    }
    this.telling = undefined;
  }

  private async tellFriends(username: string, online: boolean) {
    const friends = await this.store.findFriends(username);
    // What has changed since is told by whoever noted it, perhaps another instance, and before this; nor may it ever have been so.
    if ((await this.register.among([username])).length > 0 !== online) return;
    for (const friend of friends) {
      const payload = { username, online };
      this.delivery.broadcast(friend, { type: 'presence-changed', payload, to: [friend] });
    }
  }

  /** Who of the friends is connected now. */
  private async greet(connection: Connection) {
    const account = connection.authentication?.account;
    if (account === undefined || this.greeting >= greetingMost) return;
    this.greeting += 1;
    try {
      for (const username of await this.register.among(await this.store.findFriends(account))) {
        // Also to one that resumes, which gets no hints of what happens meanwhile.
        connection.send('presence-changed', { username, online: true });
      }
    } finally {
      this.greeting -= 1;
    }
  }

  private attempt(work: () => Promise<void>) {
    if (this.stopped) return;
    const attempt = work()
      .catch((error: unknown) => {
        this.report(error);
      })
      .finally(() => {
        this.underWay.delete(attempt);
      });
    this.underWay.add(attempt);
  }

  /** What fails because everything ends is no fault. */
  private report(error: unknown) {
    if (!this.stopped) this.faults.say(error);
  }
}
