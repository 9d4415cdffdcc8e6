import { setTimeout as pause } from 'node:timers/promises';
import { WriteCoalescer } from '@waggle/service';
import { type Redis, type RedisOptions } from 'ioredis';
import { Heartbeat } from './heartbeat';

/**
 * Maximum number of notifications that a master has not confirmed. Further ones are dropped, so that they do not fill
 * the memory.
 */
const maxPendingPublishes = 10_000;
/** Maximum number of bytes that are buffered for a master, for long notifications. */
const maxUnsentBytes = 16 * 1024 * 1024;

/**
 * An account may be subscribed to tens of thousands of channels. They are subscribed to, or left, in portions: at most
 * this many channels and commands, and then a pause in milliseconds.
 */
const portion = { channels: 500, commands: 100, pauseMs: 5 };

/** How long closing waits for the last notifications, in milliseconds. */
const maxCloseMs = 500;

const connectionOptions: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResubscribe: false,
  // A server that hangs does not close its side of the connection.
  disconnectTimeout: 100,
  retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
};

/** The bus, as a shard uses it. */
interface ShardOwner {
  /** Returns the channels to subscribe to at this master. */
  channels(): Iterable<string>;
  /** Channels of the same group fit into one command: in a cluster those of a slot, otherwise all. */
  commandGroupOf(channel: string): number;
  onMessage(channel: string, text: string): void;
  onError(error: unknown): void;
}

/**
 * Publishes and receives notifications over one Redis master. Errors are reported. Only failed subscriptions are
 * retried, by `beat`.
 */
export class RedisShard {
  private readonly publisher: Redis;
  /** A separate connection, since one with subscriptions accepts no other commands. */
  private readonly subscriber: Redis;
  private readonly heartbeats: readonly Heartbeat[];
  private readonly writes = new WriteCoalescer();
  private pendingPublishes = 0;
  private onAllPublished: () => void = () => undefined;
  /** Channels whose subscription is not confirmed yet. */
  private readonly unconfirmed = new Set<string>();
  /** Channels that are to be subscribed to, or left, with one of the next portions. */
  private readonly toSubscribe = new Set<string>();
  private readonly toLeave = new Set<string>();
  private isPortionScheduled = false;

  constructor(
    connect: (options: RedisOptions) => Redis,
    private readonly owner: ShardOwner,
  ) {
    this.publisher = connect(connectionOptions);
    this.subscriber = connect(connectionOptions);
    this.heartbeats = [new Heartbeat(this.publisher), new Heartbeat(this.subscriber)];
    this.publisher.on('error', this.fail);
    this.subscriber.on('error', this.fail);
    this.subscriber.on('ready', () => {
      this.unconfirmed.clear();
      this.toSubscribe.clear();
      this.toLeave.clear();
      for (const channel of this.owner.channels()) this.subscribe(channel);
    });
    this.subscriber.on('smessage', (channel: string, text: string) => {
      this.owner.onMessage(channel, text);
    });
    // ioredis emits this instead of failing `ssubscribe`.
    this.subscriber.on('moved', () => {
      this.fail(new Error('a channel has moved to another master'));
    });
  }

  /** Does nothing without a connection: when it is ready, all channels are subscribed to. */
  subscribe(channel: string): void {
    if (this.subscriber.status !== 'ready') return;
    this.unconfirmed.add(channel);
    this.queueSubscribe(channel);
  }

  unsubscribe(channel: string): void {
    this.forget(channel);
    if (this.subscriber.status !== 'ready') return;
    this.toLeave.add(channel);
    this.schedulePortion();
  }

  /** Drops what is pending for a channel that has moved to another master. Redis itself ends a subscription here. */
  forget(channel: string): void {
    this.unconfirmed.delete(channel);
    this.toSubscribe.delete(channel);
    this.toLeave.delete(channel);
  }

  /**
   * Publishes once, without a retry. Drops the text if there is no connection; drops it and reports an error if too
   * much is pending.
   */
  publish(channel: string, text: string): void {
    if (this.publisher.status !== 'ready') return;
    if (this.pendingPublishes >= maxPendingPublishes || this.publisher.stream.writableLength > maxUnsentBytes) {
      this.fail(new Error('Redis does not accept notifications as fast as they are published'));
      return;
    }
    this.pendingPublishes += 1;
    // Everything that is published in one turn is one write. ioredis' own pipelining does the same, but creates a
    // pipeline object per turn.
    this.writes.cork(this.publisher.stream);
    this.publisher.spublish(channel, text).then(this.onPublished, this.onPublishFailed);
  }

  /** Checks the connections and retries failed subscriptions. To be called periodically. */
  beat(): void {
    for (const heartbeat of this.heartbeats) heartbeat.beat();
    if (this.subscriber.status === 'ready') for (const channel of this.unconfirmed) this.queueSubscribe(channel);
  }

  /** Resolves when everything that was published is confirmed, after `maxCloseMs` at the latest. */
  async close(): Promise<void> {
    this.toSubscribe.clear();
    this.toLeave.clear();
    this.subscriber.disconnect();
    if (this.pendingPublishes > 0) {
      const allPublished = new Promise<void>((resolve) => {
        this.onAllPublished = resolve;
      });
      await Promise.race([allPublished, pause(maxCloseMs, undefined, { ref: false })]);
    }
    this.publisher.disconnect();
  }

  private queueSubscribe(channel: string): void {
    this.toLeave.delete(channel);
    this.toSubscribe.add(channel);
    this.schedulePortion();
  }

  private schedulePortion(): void {
    if (this.isPortionScheduled) return;
    this.isPortionScheduled = true;
    setImmediate(this.sendPortion);
  }

  private readonly sendPortion = () => {
    this.isPortionScheduled = false;
    // Without a connection there is nothing to change: when it is ready, all channels are subscribed to.
    if (this.subscriber.status !== 'ready') return;
    const rest = { ...portion };
    for (const channels of this.takeCommands(this.toSubscribe, rest)) {
      const confirm = (): void => {
        for (const channel of channels) this.unconfirmed.delete(channel);
      };
      this.subscriber.ssubscribe(...channels).then(confirm, this.fail);
    }
    for (const channels of this.takeCommands(this.toLeave, rest))
      this.subscriber.sunsubscribe(...channels).catch(this.fail);
    if (this.toSubscribe.size === 0 && this.toLeave.size === 0) return;
    this.isPortionScheduled = true;
    setTimeout(this.sendPortion, portion.pauseMs).unref();
  };

  /**
   * Moves channels from a queue into commands, as far as the rest of the portion allows, and subtracts them from
   * `rest`.
   */
  private takeCommands(queue: Set<string>, rest: { channels: number; commands: number }): Iterable<string[]> {
    const commands = new Map<number, string[]>();
    for (const channel of queue) {
      const group = this.owner.commandGroupOf(channel);
      const command = commands.get(group);
      if (rest.channels === 0 || (command === undefined && rest.commands === 0)) break;
      rest.channels -= 1;
      queue.delete(channel);
      if (command !== undefined) {
        command.push(channel);
        continue;
      }
      rest.commands -= 1;
      commands.set(group, [channel]);
    }
    return commands.values();
  }

  private readonly onPublished = () => {
    this.pendingPublishes -= 1;
    if (this.pendingPublishes === 0) this.onAllPublished();
  };

  private readonly onPublishFailed = (error: unknown) => {
    this.onPublished();
    this.fail(error);
  };

  private readonly fail = (error: unknown) => {
    this.owner.onError(error);
  };
}
