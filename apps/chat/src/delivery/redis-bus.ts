import { randomBytes } from 'node:crypto';
import { RepeatedLine, type Logger } from '@waggle/service';
import { type Bus } from './bus';
import { type RedisMasters } from './redis-masters';
import { RedisShard } from './redis-shard';

/** How long a connection may be silent, a subscription wait for another attempt, and a change of masters go unnoticed. */
const beatEveryMs = 2_000;

/**
 * The bus over Redis' sharded pub/sub: a topic is a channel, and Redis carries what is published there to the instances
 * that have subscribed to it and to no other. In a cluster each channel lies on one master, so they share the load.
 *
 * The connections are our own, one to publish and one to subscribe for each master. Those that a `Cluster` of ioredis
 * 5.11 makes for `shardedSubscribers` are made again without a pause while a master is gone, ninety times a second.
 *
 * Whatever fails is left to the database: nothing waits here, and nothing is kept.
 */
export class RedisBus implements Bus {
  /** Ahead of what this instance publishes, which comes back to it where it has subscribed itself. */
  private readonly mark = randomBytes(6).toString('base64url');
  private readonly topics = new Set<string>();
  /** By address. */
  private readonly shards = new Map<string, RedisShard>();
  private readonly timer: NodeJS.Timeout;
  private readonly faults: RepeatedLine;
  private listener: (topic: string, text: string) => void = () => undefined;

  /** @param prefix of every channel */
  constructor(
    private readonly masters: RedisMasters,
    private readonly prefix: string,
    logger: Logger,
  ) {
    this.faults = new RepeatedLine((leftOut, err) => {
      logger.warn({ err, leftOut }, 'hints between instances are lost; the database makes up for them');
    });
    masters.onChange = (hasMoved) => {
      this.follow(hasMoved);
    };
    this.setUpShards();
    this.timer = setInterval(() => {
      this.masters.look();
      for (const shard of this.shards.values()) shard.beat();
    }, beatEveryMs);
  }

  listen(listener: (topic: string, text: string) => void) {
    this.listener = listener;
  }

  subscribe(topics: readonly string[]) {
    for (const topic of topics) {
      this.topics.add(topic);
      this.shardFor(topic)?.subscribe(this.prefix + topic);
    }
  }

  unsubscribe(topics: readonly string[]) {
    for (const topic of topics) {
      this.topics.delete(topic);
      this.shardFor(topic)?.unsubscribe(this.prefix + topic);
    }
  }

  publish(topic: string, text: string) {
    this.shardFor(topic)?.publish(this.prefix + topic, this.mark + text);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.masters.close();
    await Promise.all(Array.from(this.shards.values(), (shard) => shard.close()));
  }

  private follow(hasMoved: (channel: string) => boolean) {
    this.setUpShards();
    for (const topic of this.topics) {
      const channel = this.prefix + topic;
      if (!hasMoved(channel)) continue;
      for (const shard of this.shards.values()) shard.forget(channel);
      this.shardFor(topic)?.subscribe(channel);
    }
  }

  private setUpShards() {
    const addresses = this.masters.addresses();
    for (const [address, shard] of this.shards) {
      if (addresses.has(address)) continue;
      void shard.close();
      this.shards.delete(address);
    }
    for (const address of addresses) if (!this.shards.has(address)) this.shards.set(address, this.shardAt(address));
  }

  private shardAt(address: string): RedisShard {
    return new RedisShard((options) => this.masters.connect(address, options), {
      wanted: () => this.channelsAt(address),
      hear: this.hear,
      fail: this.fail,
    });
  }

  private *channelsAt(address: string): Iterable<string> {
    for (const topic of this.topics) {
      const channel = this.prefix + topic;
      if (this.masters.findFor(channel) === address) yield channel;
    }
  }

  private readonly hear = (channel: string, text: string) => {
    if (text.startsWith(this.mark)) return;
    try {
      this.listener(channel.slice(this.prefix.length), text.slice(this.mark.length));
    } catch (error) {
      this.fail(error);
    }
  };

  private readonly fail = (error: unknown) => {
    this.faults.say(error);
    // Perhaps the channel has another master now.
    this.masters.look();
  };

  private shardFor(topic: string): RedisShard | undefined {
    const address = this.masters.findFor(this.prefix + topic);
    return address === undefined ? undefined : this.shards.get(address);
  }
}
