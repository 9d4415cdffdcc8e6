import { randomBytes } from 'node:crypto';
import { ThrottledLog, type Logger } from '@waggle/service';
import { Bus } from './bus';
import { type RedisMasters } from './redis-masters';
import { RedisPublisher } from './redis-publisher';
import { RedisSubscriber } from './redis-subscriber';

/**
 * Interval at which connections are checked, failed subscriptions are retried and the cluster's slots are refreshed, in
 * milliseconds.
 */
const maintenanceIntervalMs = 2_000;

/** The two connections to one master. */
interface Shard {
  publisher: RedisPublisher;
  subscriber: RedisSubscriber;
}

/**
 * The bus over Redis' sharded pub/sub: a topic is a Redis channel (not a channel of the chat), and Redis sends what is
 * published there only to the instances that have subscribed to it. In a cluster each Redis channel belongs to one
 * master, so the masters share the load.
 *
 * Each master has one connection for publishing and one for subscriptions. The option `shardedSubscribers` of ioredis
 * 5.11 is not used: while a master is down it reconnects ninety times a second.
 *
 * A topic is the id of a stream, and the texts are messages of `Peers`. A message is neither queued nor
 * retried (see `RedisPublisher.publish`): missed entries are read from the database; missed ephemeral events are lost.
 */
export class RedisBus extends Bus {
  /**
   * Prepended to each published text, so that this instance ignores its own; the ids of all instances have the same
   * length.
   */
  private readonly instanceId = randomBytes(6).toString('base64url');
  private readonly topics = new Set<string>();
  /** By the address of the master. */
  private readonly shards = new Map<string, Shard>();
  private readonly timer: NodeJS.Timeout;
  private readonly failures: ThrottledLog;

  /** @param channelPrefix prepended to each topic to make its Redis channel */
  constructor(
    private readonly masters: RedisMasters,
    private readonly channelPrefix: string,
    logger: Logger,
  ) {
    super();
    this.failures = ThrottledLog.warnings(
      logger,
      'messages between instances may be lost; entries are read from the database instead, ephemeral events are not repeated',
    );
    masters.on('moved', (hasChannelMoved) => {
      this.moveChannels(hasChannelMoved);
    });
    this.setUpShards();
    this.timer = setInterval(() => {
      this.masters.refreshSoon();
      for (const { publisher, subscriber } of this.shards.values()) {
        publisher.maintain();
        subscriber.maintain();
      }
    }, maintenanceIntervalMs);
  }

  subscribe(topics: readonly string[]): void {
    for (const topic of topics) {
      this.topics.add(topic);
      // If its master is not known, the channel is subscribed to when it becomes known.
      this.shardFor(topic)?.subscriber.subscribe(this.channelPrefix + topic);
    }
  }

  unsubscribe(topics: readonly string[]): void {
    for (const topic of topics) {
      this.topics.delete(topic);
      this.shardFor(topic)?.subscriber.unsubscribe(this.channelPrefix + topic);
    }
  }

  publish(topic: string, text: string): void {
    this.shardFor(topic)?.publisher.publish(this.channelPrefix + topic, this.instanceId + text);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.masters.close();
    await Promise.all(Array.from(this.shards.values(), closeShard));
  }

  private moveChannels(hasChannelMoved: (channel: string) => boolean): void {
    this.setUpShards();
    for (const topic of this.topics) {
      const channel = this.channelPrefix + topic;
      if (!hasChannelMoved(channel)) continue;
      // Redis ends the subscription at the old master, which is one of these if it still is a master.
      for (const { subscriber } of this.shards.values()) subscriber.dropChannel(channel);
      this.shardFor(topic)?.subscriber.subscribe(channel);
    }
  }

  private setUpShards(): void {
    const addresses = this.masters.addresses();
    for (const [address, shard] of this.shards) {
      if (addresses.has(address)) continue;
      void closeShard(shard);
      this.shards.delete(address);
    }
    for (const address of addresses) if (!this.shards.has(address)) this.shards.set(address, this.shardAt(address));
  }

  private shardAt(address: string): Shard {
    return {
      publisher: new RedisPublisher(this.masters.connect(address), this.onError),
      subscriber: new RedisSubscriber(this.masters.connect(address), {
        channels: () => this.channelsAt(address),
        slotGroupOf: (channel) => this.masters.slotGroupOf(channel),
        onMessage: this.onMessage,
        onError: this.onError,
      }),
    };
  }

  private *channelsAt(address: string): Iterable<string> {
    for (const topic of this.topics) {
      const channel = this.channelPrefix + topic;
      if (this.masters.findAddress(channel) === address) yield channel;
    }
  }

  private readonly onMessage = (channel: string, text: string) => {
    if (text.startsWith(this.instanceId)) return;
    try {
      this.emit('message', channel.slice(this.channelPrefix.length), text.slice(this.instanceId.length));
    } catch (error) {
      this.failures.log(error);
    }
  };

  private readonly onError = (error: unknown) => {
    this.failures.log(error);
    // A Redis error may mean that the channel has moved to another master.
    this.masters.refreshSoon();
  };

  private shardFor(topic: string): Shard | undefined {
    const address = this.masters.findAddress(this.channelPrefix + topic);
    return address === undefined ? undefined : this.shards.get(address);
  }
}

async function closeShard({ publisher, subscriber }: Shard): Promise<void> {
  subscriber.close();
  await publisher.close();
}
