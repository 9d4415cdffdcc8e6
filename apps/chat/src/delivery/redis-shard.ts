import { setTimeout as pause } from 'node:timers/promises';
import { type Redis, type RedisOptions } from 'ioredis';
import { WriteCoalescer } from '../write-coalescer';
import { Heartbeat } from './heartbeat';

/** Hints that a master has not answered yet, at most: one that hangs must not fill our memory, and a hint may be lost. */
const maxPendingPublishes = 10_000;
/** The same of what the system has not taken from us yet, for hints that are long. */
const maxUnsentBytes = 16 * 1024 * 1024;

/** What was published last is waited for so long when the connections are closed. */
const maxCloseMs = 500;

const connectionOptions: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResubscribe: false,
  // What hangs does not take part in the closing of its connection either.
  disconnectTimeout: 100,
  retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
};

/** What a shard asks of the bus, and tells it. */
export interface ShardOwner {
  /** The channels that are wanted of this master. */
  wanted(): Iterable<string>;
  hear(channel: string, text: string): void;
  fail(error: unknown): void;
}

/** Hints over one master of Redis. Whatever fails is told and forgotten; subscriptions are made again. */
export class RedisShard {
  private readonly publisher: Redis;
  /** A connection of its own: one that has subscribed takes no other commands. */
  private readonly subscriber: Redis;
  private readonly heartbeats: readonly Heartbeat[];
  private readonly writes = new WriteCoalescer();
  private unanswered = 0;
  private onAllAnswered: () => void = () => undefined;
  /** Channels that are wanted and not subscribed to yet. */
  private readonly unheard = new Set<string>();

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
      this.unheard.clear();
      for (const channel of this.owner.wanted()) this.subscribe(channel);
    });
    this.subscriber.on('smessage', (channel: string, text: string) => {
      this.owner.hear(channel, text);
    });
    // Instead of failing the command.
    this.subscriber.on('moved', () => {
      this.fail(new Error('a channel has moved to another master'));
    });
  }

  /** While there is no connection nothing is done: all that is wanted is subscribed to when it is ready. */
  subscribe(channel: string) {
    if (this.subscriber.status !== 'ready') return;
    this.unheard.add(channel);
    this.ask(channel);
  }

  unsubscribe(channel: string) {
    this.forget(channel);
    if (this.subscriber.status === 'ready') this.subscriber.sunsubscribe(channel).catch(this.fail);
  }

  /** The channel has another master now, and this one has ended the subscription itself. */
  forget(channel: string) {
    this.unheard.delete(channel);
  }

  publish(channel: string, text: string) {
    if (this.publisher.status !== 'ready') return;
    if (this.unanswered >= maxPendingPublishes || this.publisher.stream.writableLength > maxUnsentBytes) {
      this.fail(new Error('Redis does not take hints as fast as they come'));
      return;
    }
    this.unanswered += 1;
    // All that is published in one turn is one write. ioredis' own pipelining does that too, for a pipeline object a turn.
    this.writes.cork(this.publisher.stream);
    this.publisher.spublish(channel, text).then(this.answered, this.refused);
  }

  /** To be called again and again: looks whether the connections live, and makes good what could not be subscribed to. */
  beat() {
    for (const heartbeat of this.heartbeats) heartbeat.beat();
    if (this.subscriber.status === 'ready') for (const channel of this.unheard) this.ask(channel);
  }

  /** Resolves when what was published has gone out, or a moment later where it does not. */
  async close(): Promise<void> {
    this.subscriber.disconnect();
    if (this.unanswered > 0) {
      const allAnswered = new Promise<void>((resolve) => {
        this.onAllAnswered = resolve;
      });
      await Promise.race([allAnswered, pause(maxCloseMs, undefined, { ref: false })]);
    }
    this.publisher.disconnect();
  }

  /** One channel a command: in a cluster those of one command must lie in one slot. */
  private ask(channel: string) {
    this.subscriber.ssubscribe(channel).then(() => {
      this.unheard.delete(channel);
    }, this.fail);
  }

  private readonly answered = () => {
    this.unanswered -= 1;
    if (this.unanswered === 0) this.onAllAnswered();
  };

  private readonly refused = (error: unknown) => {
    this.answered();
    this.fail(error);
  };

  private readonly fail = (error: unknown) => {
    this.owner.fail(error);
  };
}
