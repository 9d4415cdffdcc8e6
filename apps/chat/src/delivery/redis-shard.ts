import { setTimeout as pause } from 'node:timers/promises';
import { type Redis, type RedisOptions } from 'ioredis';
import { WriteCoalescer } from '../write-coalescer';
import { Heartbeat } from './heartbeat';

/** Maximum number of notifications that a master has not confirmed. Further ones are dropped, so that they do not fill the memory. */
const maxPendingPublishes = 10_000;
/** Maximum number of bytes that are buffered for a master, for long notifications. */
const maxUnsentBytes = 16 * 1024 * 1024;

/** Channels that are subscribed to or left at once; the next ones after a pause, in milliseconds. An account may have tens of thousands. */
const maxChanges = 100;
const changePauseMs = 5;

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
interface ShardListener {
  /** Returns the channels to subscribe to at this master. */
  channels(): Iterable<string>;
  /** Channels with the same key may be named in one command. */
  keyOf(channel: string): number;
  onMessage(channel: string, text: string): void;
  onError(error: unknown): void;
}

/** Publishes and receives notifications over one Redis master. Errors are reported and not retried, except subscriptions. */
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
  /** Channels to subscribe to (true) or to leave, as soon as it is their turn. */
  private readonly changes = new Map<string, boolean>();

  constructor(
    connect: (options: RedisOptions) => Redis,
    private readonly listener: ShardListener,
  ) {
    this.publisher = connect(connectionOptions);
    this.subscriber = connect(connectionOptions);
    this.heartbeats = [new Heartbeat(this.publisher), new Heartbeat(this.subscriber)];
    this.publisher.on('error', this.fail);
    this.subscriber.on('error', this.fail);
    this.subscriber.on('ready', () => {
      this.unconfirmed.clear();
      this.changes.clear();
      for (const channel of this.listener.channels()) this.subscribe(channel);
    });
    this.subscriber.on('smessage', (channel: string, text: string) => {
      this.listener.onMessage(channel, text);
    });
    // Instead of failing the command.
    this.subscriber.on('moved', () => {
      this.fail(new Error('a channel has moved to another master'));
    });
  }

  /** Does nothing without a connection: when it is ready, all channels are subscribed to. */
  subscribe(channel: string) {
    if (this.subscriber.status !== 'ready') return;
    this.unconfirmed.add(channel);
    this.change(channel, true);
  }

  unsubscribe(channel: string) {
    this.forgetPending(channel);
    if (this.subscriber.status === 'ready') this.change(channel, false);
  }

  /** Stops retrying the subscription to a channel that has moved to another master; Redis ends an existing one. */
  forgetPending(channel: string) {
    this.unconfirmed.delete(channel);
  }

  /** Publishes once, without a retry. Drops the text if there is no connection, or if too much is pending, which is reported. */
  publish(channel: string, text: string) {
    if (this.publisher.status !== 'ready') return;
    if (this.pendingPublishes >= maxPendingPublishes || this.publisher.stream.writableLength > maxUnsentBytes) {
      this.fail(new Error('Redis does not accept notifications as fast as they are published'));
      return;
    }
    this.pendingPublishes += 1;
    // Everything that is published in one turn is one write. ioredis' own pipelining does the same, but creates a pipeline object per turn.
    this.writes.cork(this.publisher.stream);
    this.publisher.spublish(channel, text).then(this.onPublished, this.onPublishFailed);
  }

  /** Checks the connections and retries failed subscriptions. To be called periodically. */
  beat() {
    for (const heartbeat of this.heartbeats) heartbeat.beat();
    if (this.subscriber.status === 'ready') for (const channel of this.unconfirmed) this.change(channel, true);
  }

  /** Resolves when everything that was published is confirmed, after `maxCloseMs` at the latest. */
  async close(): Promise<void> {
    this.subscriber.disconnect();
    if (this.pendingPublishes > 0) {
      const allPublished = new Promise<void>((resolve) => {
        this.onAllPublished = resolve;
      });
      await Promise.race([allPublished, pause(maxCloseMs, undefined, { ref: false })]);
    }
    this.publisher.disconnect();
  }

  private change(channel: string, isWanted: boolean) {
    if (this.changes.size === 0) setImmediate(this.sendChanges);
    // The last change of a channel is sent last.
    this.changes.delete(channel);
    this.changes.set(channel, isWanted);
  }

  private readonly sendChanges = () => {
    const commands = new Map<string, { channels: string[]; isWanted: boolean }>();
    for (const [channel, isWanted] of [...this.changes.entries()].slice(0, maxChanges)) {
      this.changes.delete(channel);
      const key = `${isWanted} ${this.listener.keyOf(channel)}`;
      const command = commands.get(key) ?? { channels: [], isWanted };
      commands.set(key, command);
      command.channels.push(channel);
    }
    // Without a connection there is nothing to change.
    if (this.subscriber.status === 'ready') for (const command of commands.values()) this.send(command);
    if (this.changes.size > 0) setTimeout(this.sendChanges, changePauseMs).unref();
  };

  private send({ channels, isWanted }: { channels: string[]; isWanted: boolean }) {
    if (!isWanted) {
      this.subscriber.sunsubscribe(...channels).catch(this.fail);
      return;
    }
    this.subscriber.ssubscribe(...channels).then(() => {
      for (const channel of channels) this.unconfirmed.delete(channel);
    }, this.fail);
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
    this.listener.onError(error);
  };
}
