import { setTimeout as pause } from 'node:timers/promises';
import { WriteCoalescer } from '@waggle/service';
import { type Redis, type RedisOptions } from 'ioredis';
import { Heartbeat } from './heartbeat';

/** Maximum number of unconfirmed messages for a master. Further ones are dropped, to limit memory. */
const maxPendingPublishes = 10_000;
/** Maximum number of unsent bytes for a master, which limits memory if messages are long. */
const maxUnsentBytes = 16 * 1024 * 1024;

/**
 * The size of a batch of commands that subscribe and unsubscribe, and the pause before the next one: an account may
 * have tens of thousands of subscriptions.
 */
const maxBatch = { channels: 500, commands: 100 };
const pauseBetweenBatchesMs = 5;

/** Maximum time that closing waits for the last messages, in milliseconds. */
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
  /** A command takes channels of one group. In a cluster a group is a slot; otherwise all channels are one group. */
  commandGroupOf(channel: string): number;
  onMessage(channel: string, text: string): void;
  onError(error: unknown): void;
}

/**
 * Publishes and receives messages over one Redis master, on a Redis channel for each stream. Errors are reported.
 * `beat` repeats subscriptions that are not confirmed; nothing else is retried.
 */
export class RedisShard {
  private readonly publisher: Redis;
  /** A separate connection, since one with subscriptions accepts no other commands. */
  private readonly subscriber: Redis;
  private readonly heartbeats: readonly Heartbeat[];
  private readonly writes = new WriteCoalescer();
  private pendingPublishes = 0;
  private onNonePending: () => void = () => undefined;
  /** Channels whose subscription is not confirmed yet. */
  private readonly unconfirmed = new Set<string>();
  /** Channels to subscribe to in the next batches. */
  private readonly toSubscribe = new Set<string>();
  /** Channels to unsubscribe from in the next batches. */
  private readonly toLeave = new Set<string>();
  private isBatchScheduled = false;

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
    // `ssubscribe` of a channel that has moved does not fail.
    this.subscriber.on('moved', () => {
      this.fail(new Error('a channel has moved to another master'));
    });
  }

  /** Does nothing while disconnected: a new connection subscribes to all channels. */
  subscribe(channel: string): void {
    if (this.subscriber.status !== 'ready') return;
    this.unconfirmed.add(channel);
    this.queueSubscribe(channel);
  }

  unsubscribe(channel: string): void {
    this.forget(channel);
    if (this.subscriber.status !== 'ready') return;
    this.toLeave.add(channel);
    this.scheduleBatch();
  }

  /** Drops queued commands for a channel. If it moved to another master, Redis ends the subscription at this one. */
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
      this.fail(new Error('Redis does not accept messages as fast as they are published'));
      return;
    }
    this.pendingPublishes += 1;
    // Everything that is published in one turn is one write. ioredis' own pipelining does the same, but creates a
    // pipeline object per turn.
    this.writes.cork(this.publisher.stream);
    this.publisher.spublish(channel, text).then(this.onPublished, this.onPublishFailed);
  }

  /** Checks the connections and repeats subscriptions that are not confirmed. To be called periodically. */
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
        this.onNonePending = resolve;
      });
      await Promise.race([allPublished, pause(maxCloseMs, undefined, { ref: false })]);
    }
    this.publisher.disconnect();
  }

  private queueSubscribe(channel: string): void {
    this.toLeave.delete(channel);
    this.toSubscribe.add(channel);
    this.scheduleBatch();
  }

  private scheduleBatch(): void {
    if (this.isBatchScheduled) return;
    this.isBatchScheduled = true;
    setImmediate(this.sendBatch);
  }

  private readonly sendBatch = () => {
    this.isBatchScheduled = false;
    // A new connection subscribes to all channels.
    if (this.subscriber.status !== 'ready') return;
    const remaining = { ...maxBatch };
    for (const channels of this.takeCommands(this.toSubscribe, remaining)) {
      const confirm = (): void => {
        for (const channel of channels) this.unconfirmed.delete(channel);
      };
      this.subscriber.ssubscribe(...channels).then(confirm, this.fail);
    }
    for (const channels of this.takeCommands(this.toLeave, remaining))
      this.subscriber.sunsubscribe(...channels).catch(this.fail);
    if (this.toSubscribe.size === 0 && this.toLeave.size === 0) return;
    this.isBatchScheduled = true;
    setTimeout(this.sendBatch, pauseBetweenBatchesMs).unref();
  };

  /**
   * Takes channels from the queue, grouped into commands, until `remaining` is used up, which it updates.
   */
  private takeCommands(queue: Set<string>, remaining: { channels: number; commands: number }): Iterable<string[]> {
    const commands = new Map<number, string[]>();
    for (const channel of queue) {
      const group = this.owner.commandGroupOf(channel);
      const command = commands.get(group);
      if (remaining.channels === 0 || (command === undefined && remaining.commands === 0)) break;
      remaining.channels -= 1;
      queue.delete(channel);
      if (command !== undefined) {
        command.push(channel);
        continue;
      }
      remaining.commands -= 1;
      commands.set(group, [channel]);
    }
    return commands.values();
  }

  private readonly onPublished = () => {
    this.pendingPublishes -= 1;
    if (this.pendingPublishes === 0) this.onNonePending();
  };

  private readonly onPublishFailed = (error: unknown) => {
    this.onPublished();
    this.fail(error);
  };

  private readonly fail = (error: unknown) => {
    this.owner.onError(error);
  };
}
