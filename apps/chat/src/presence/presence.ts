import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { type ServerPayload } from '@waggle/contracts';
import { KeyedLimiter, LOGGER, type Logger, POOL, ServiceError, sql, Statement, ThrottledLog } from '@waggle/service';
import { type Pool } from 'pg';
import { Delivery } from '../delivery/delivery';
import { ChatError } from '../errors';
import { portionsOf } from '../portions';
import { FrameLimits } from '../realtime/frame-limits';
import { priceOfReads } from '../realtime/frame-prices';
import { type Connection } from '../realtime/connection';
import { Connections } from '../realtime/connections';
import { PRESENCE_REGISTER, refreshIntervalMs, type PresenceRegister } from './presence-register';
import { friendshipTable } from '../relations/friendship.entity';
import { RelationsService } from '../relations/relations.service';

/** Maximum number of friends of an account that are notified, and whose presence it is sent. */
const maxFriends = 1_000;
/** Maximum number of accounts whose change waits to be broadcast. Changes of further accounts are dropped. */
const maxPending = 10_000;
/**
 * Maximum number of concurrent reads of online friends for connections that just authenticated. Further connections get
 * no list.
 */
const maxInitialReads = 100;
/**
 * An account's reads run one after another, so that its many connections do not occupy the database and the process at
 * once.
 */
const initialReadsOfAccount = { maxRunning: 1, maxQueued: 100, maxWaitMs: 60_000 };
/** Maximum time that shutdown waits for pending broadcasts, in milliseconds. */
const maxShutdownMs = 2_000;

/** Returns a row for each friend of an account, up to the limit. */
const friendsForPresence = new Statement({
  name: 'friends-for-presence',
  text: `
    SELECT second AS friend FROM friendship WHERE first = $1
    UNION ALL SELECT first FROM friendship WHERE second = $1
    LIMIT ${maxFriends}`,
  parameters: { account: friendshipTable.first },
  columns: { friend: sql.notNull(friendshipTable.second) },
});

/**
 * Broadcasts to friends when accounts connect and disconnect, and tells new friends whether the other one is online. An
 * account is offline as soon as its last connection closes. The events are ephemeral: one that is lost is not repeated.
 */
@Injectable()
export class Presence implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private initialReads = 0;
  private readonly readers = new KeyedLimiter(initialReadsOfAccount, tooManyReads);
  /** Work that shutdown waits for. */
  private readonly running = new Set<Promise<void>>();
  /** The latest state of each account that is to be broadcast: whether it is online. */
  private readonly pending = new Map<string, boolean>();
  private broadcasting: Promise<void> | undefined;
  private isStopped = false;
  private readonly failures: ThrottledLog;

  constructor(
    private readonly delivery: Delivery,
    connections: Connections,
    relations: RelationsService,
    private readonly limits: FrameLimits,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(PRESENCE_REGISTER) private readonly register: PresenceRegister,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failures = ThrottledLog.warnings(logger, 'cannot update who is online');
    delivery.on('connected', (account) => {
      this.run(() => this.enter(account));
    });
    delivery.on('disconnected', (account) => {
      this.run(() => this.leave([account]));
    });
    relations.on('befriended', (account, other) => {
      this.run(() => this.introduce(account, other));
    });
    connections.on('capable', (connection) => {
      const account = connection.authentication?.account;
      if (account === undefined || !connection.has('presence')) return;
      const send = () => this.sendOnlineFriends(connection, account);
      // A connection that waits too long, because the account has many connections, gets no list of online friends.
      this.run(() => this.readers.run(account, send).catch(rethrowUnlessRateLimited));
    });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.run(() => this.refresh());
    }, refreshIntervalMs);
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Connections are closed by now. Accounts whose `disconnected` has not been emitted yet leave as well. */
  async beforeApplicationShutdown(): Promise<void> {
    this.run(() => this.leave(this.delivery.connectedAccounts()));
    this.isStopped = true;
    await Promise.all(this.running);
    const timer = setTimeout(() => {
      this.pending.clear();
    }, maxShutdownMs);
    await this.broadcasting;
    clearTimeout(timer);
  }

  private async enter(account: string): Promise<void> {
    if (await this.register.enter(account)) this.queue(account, true);
  }

  private async leave(accounts: readonly string[]): Promise<void> {
    for (const account of await this.register.leave(accounts)) this.queue(account, false);
  }

  private async refresh(): Promise<void> {
    const { online, offline } = await this.register.refresh(this.delivery.connectedAccounts());
    for (const account of online) this.queue(account, true);
    for (const account of offline) this.queue(account, false);
  }

  private queue(account: string, isOnline: boolean): void {
    if (this.pending.size >= maxPending && !this.pending.has(account)) return;
    this.pending.set(account, isOnline);
    this.broadcasting ??= this.broadcastPending();
  }

  /** Broadcasts one change after another, so that the later one of an account comes last. */
  private async broadcastPending(): Promise<void> {
    for (const [account, isOnline] of this.pending) {
      this.pending.delete(account);
      await this.broadcast(account, isOnline).catch((error: unknown) => {
        this.report(error);
      });
    }
    this.broadcasting = undefined;
  }

  private async broadcast(username: string, online: boolean): Promise<void> {
    const friends = await this.findFriends(username);
    this.limits.chargeAfterwards(username, priceOfReads(friends.length));
    for await (const portion of portionsOf(friends)) {
      // If the state differs, it has changed again, and the instance that recorded the change broadcasts it; or `leave`
      // did not know the state.
      const onlineNow = await this.register.findOnline([username]);
      if (onlineNow.includes(username) !== online) return;
      for (const friend of portion) this.send(friend, { username, online });
    }
  }

  /** Tells each of two new friends if the other one is online. Their own changes are broadcast from now on. */
  private async introduce(account: string, other: string): Promise<void> {
    const online = await this.register.findOnline([account, other]);
    if (online.includes(account)) this.send(other, { username: account, online: true });
    if (online.includes(other)) this.send(account, { username: other, online: true });
  }

  private send(friend: string, payload: ServerPayload<'presence-changed'>): void {
    this.delivery.broadcast(friend, { type: 'presence-changed', payload, to: [friend] });
  }

  /** Sends a connection that just authenticated which friends of its account are online. */
  private async sendOnlineFriends(connection: Connection, account: string): Promise<void> {
    const isCurrent = () =>
      connection.isOpen && connection.has('presence') && connection.authentication?.account === account;
    if (!isCurrent() || this.initialReads >= maxInitialReads) return;
    this.initialReads += 1;
    try {
      const friends = await this.findFriends(account);
      this.limits.chargeAfterwards(account, priceOfReads(friends.length));
      const online = await this.register.findOnline(friends);
      if (!isCurrent()) return;
      for (const username of online) {
        // `send` does not skip connections that resume, which get no ephemeral events meanwhile.
        connection.send('presence-changed', { username, online: true });
      }
    } finally {
      this.initialReads -= 1;
    }
  }

  /** Returns at most `maxFriends` friends of an account. */
  private async findFriends(account: string): Promise<string[]> {
    const rows = await friendsForPresence.query(this.pool, { account });
    return rows.map(({ friend }) => friend);
  }

  /** Runs work that shutdown waits for. Logs its failure. */
  private run(work: () => Promise<void>): void {
    if (this.isStopped) return;
    const running = work()
      .catch((error: unknown) => {
        this.report(error);
      })
      .finally(() => {
        this.running.delete(running);
      });
    this.running.add(running);
  }

  /** Logs a failure, unless the instance is shutting down. */
  private report(error: unknown): void {
    if (!this.isStopped) this.failures.log(error);
  }
}

function tooManyReads(): ChatError {
  return new ChatError('rate-limited', 'too many connections of the account wait for presence');
}

function rethrowUnlessRateLimited(error: unknown): void {
  if (!(error instanceof ServiceError) || error.code !== 'rate-limited') throw error;
}
