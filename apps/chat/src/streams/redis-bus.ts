import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { RepeatedLine, type Logger } from '@waggle/service';
import { type Bus } from './bus';

/** A command that Redis does not answer in this time is given up; a Redis that hangs must not fill our memory. */
const commandTimeoutMs = 2_000;

/**
 * The bus over Redis' sharded pub/sub: a topic is a channel, and Redis carries what is published there to the instances
 * that have subscribed to it and to no other. In a cluster each channel lies on one master, so they share the load.
 *
 * Whatever fails is left to the database: nothing waits here, and nothing is kept.
 */
export class RedisBus implements Bus {
  /** Ahead of what this instance publishes, which comes back to it where it has subscribed itself. */
  private readonly mark = randomBytes(6).toString('base64url');
  private readonly topics = new Set<string>();
  private readonly commands: Redis;
  /** A connection of its own: one that has subscribed takes no other commands. */
  private readonly subscriber: Redis;
  private readonly faults: RepeatedLine;

  /** @param prefix of every channel */
  constructor(
    url: string,
    private readonly prefix: string,
    logger: Logger,
  ) {
    this.faults = new RepeatedLine((leftOut, err) => {
      logger.warn({ err, leftOut }, 'hints between instances are lost; the database makes up for them');
    });
    const options = {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: commandTimeoutMs,
      retryStrategy: (attempt: number) => Math.min(attempt * 100, 2_000),
    };
    // All that is published in one turn of the event loop is one write.
    this.commands = new Redis(url, { ...options, enableAutoPipelining: true });
    this.subscriber = new Redis(url, { ...options, autoResubscribe: false });
    this.commands.on('error', this.fail);
    this.subscriber.on('error', this.fail);
    this.subscriber.on('ready', () => {
      for (const topic of this.topics) this.ssubscribe(topic);
    });
  }

  listen(listener: (topic: string, text: string) => void) {
    this.subscriber.on('smessage', (channel: string, text: string) => {
      if (!text.startsWith(this.mark)) listener(channel.slice(this.prefix.length), text.slice(this.mark.length));
    });
  }

  subscribe(topics: readonly string[]) {
    for (const topic of topics) {
      this.topics.add(topic);
      // Else it is done when the connection is ready.
      if (this.subscriber.status === 'ready') this.ssubscribe(topic);
    }
  }

  unsubscribe(topics: readonly string[]) {
    for (const topic of topics) {
      this.topics.delete(topic);
      if (this.subscriber.status === 'ready') this.subscriber.sunsubscribe(this.prefix + topic).catch(this.fail);
    }
  }

  publish(topic: string, text: string) {
    this.commands.spublish(this.prefix + topic, this.mark + text).catch(this.fail);
  }

  close() {
    this.commands.disconnect();
    this.subscriber.disconnect();
  }

  /** One channel a command: in a cluster those of one command must lie on one master. */
  private ssubscribe(topic: string) {
    this.subscriber.ssubscribe(this.prefix + topic).catch(this.fail);
  }

  private readonly fail = (error: unknown) => {
    this.faults.say(error);
  };
}
