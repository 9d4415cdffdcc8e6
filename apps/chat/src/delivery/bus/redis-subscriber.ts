import { type Redis } from 'ioredis';
import { Heartbeat } from '../heartbeat';

interface BatchLimits {
  readonly channels: number;
  readonly commands: number;
}

/**
 * Limits of a batch of commands that subscribe and unsubscribe, and the pause before the next batch. An account may
 * have tens of thousands of subscriptions: one burst of them would block the event loop of this instance, and Redis for
 * the other instances.
 */
const batchLimits: BatchLimits = { channels: 500, commands: 100 };
const pauseBetweenBatchesMs = 5;

/** The bus, as a subscriber uses it. */
interface SubscriberOwner {
  /** Returns the channels to subscribe to at this master. */
  channels(): Iterable<string>;
  /** One command takes channels of one group: in a cluster a slot, otherwise all channels. */
  slotGroupOf(channel: string): number;
  onMessage(channel: string, text: string): void;
  onError(error: unknown): void;
}

/** Receives the messages of channels over a connection to one Redis master. Errors go to `owner.onError`. */
export class RedisSubscriber {
  private readonly heartbeat: Heartbeat;
  /*
   * The state of a channel: to subscribe → sent → confirmed, then to unsubscribe. It is in at most one of these sets;
   * a confirmed channel, and one without a subscription, is in none. `maintain` moves a channel back from `sent`.
   */
  private readonly toSubscribe = new Set<string>();
  private readonly sent = new Set<string>();
  private readonly toUnsubscribe = new Set<string>();
  private isBatchScheduled = false;

  /** @param redis a connection of its own, because Redis accepts no other commands after a subscription */
  constructor(
    private readonly redis: Redis,
    private readonly owner: SubscriberOwner,
  ) {
    this.heartbeat = new Heartbeat(redis);
    redis.on('error', this.reportError);
    redis.on('ready', () => {
      for (const channels of [this.toSubscribe, this.sent, this.toUnsubscribe]) channels.clear();
      for (const channel of owner.channels()) this.subscribe(channel);
    });
    redis.on('smessage', (channel: string, text: string) => {
      owner.onMessage(channel, text);
    });
    // For a channel that has moved, ioredis emits `moved` and never settles the `ssubscribe`.
    redis.on('moved', () => {
      this.reportError(new Error('a channel has moved to another master'));
    });
  }

  /** Does nothing while disconnected: a new connection subscribes to all channels. */
  subscribe(channel: string): void {
    if (this.redis.status !== 'ready') return;
    this.dropChannel(channel);
    this.toSubscribe.add(channel);
    this.scheduleBatch();
  }

  unsubscribe(channel: string): void {
    this.dropChannel(channel);
    if (this.redis.status !== 'ready') return;
    this.toUnsubscribe.add(channel);
    this.scheduleBatch();
  }

  /**
   * Forgets a channel without unsubscribing. Used when the channel moved to another master: Redis has then ended the
   * subscription here.
   */
  dropChannel(channel: string): void {
    for (const channels of [this.toSubscribe, this.sent, this.toUnsubscribe]) channels.delete(channel);
  }

  /**
   * Call every few seconds: pings Redis, reconnects if it did not reply to the ping of the last call, and repeats
   * unconfirmed subscriptions.
   */
  maintain(): void {
    this.heartbeat.beat();
    for (const channel of this.sent) this.subscribe(channel);
  }

  close(): void {
    this.toSubscribe.clear();
    this.toUnsubscribe.clear();
    this.redis.disconnect();
  }

  private scheduleBatch(): void {
    if (this.isBatchScheduled) return;
    this.isBatchScheduled = true;
    setImmediate(this.sendBatch);
  }

  private readonly sendBatch = () => {
    this.isBatchScheduled = false;
    // A new connection subscribes to all channels.
    if (this.redis.status !== 'ready') return;
    const subscribing = this.takeCommands(this.toSubscribe, batchLimits);
    for (const channels of subscribing) {
      for (const channel of channels) this.sent.add(channel);
      const confirm = (): void => {
        for (const channel of channels) this.sent.delete(channel);
      };
      this.redis.ssubscribe(...channels).then(confirm, this.reportError);
    }
    for (const channels of this.takeCommands(this.toUnsubscribe, remainingAfter(subscribing)))
      this.redis.sunsubscribe(...channels).catch(this.reportError);
    if (this.toSubscribe.size === 0 && this.toUnsubscribe.size === 0) return;
    this.isBatchScheduled = true;
    setTimeout(this.sendBatch, pauseBetweenBatchesMs).unref();
  };

  /** Takes channels from a queue, as many as the limits allow. @returns the channels of each command */
  private takeCommands(queue: Set<string>, limits: BatchLimits): string[][] {
    const commands = new Map<number, string[]>();
    let taken = 0;
    for (const channel of queue) {
      const group = this.owner.slotGroupOf(channel);
      const command = commands.get(group);
      if (taken === limits.channels || (command === undefined && commands.size === limits.commands)) break;
      if (command === undefined) commands.set(group, [channel]);
      else command.push(channel);
      queue.delete(channel);
      taken += 1;
    }
    return [...commands.values()];
  }

  private readonly reportError = (error: unknown) => {
    this.owner.onError(error);
  };
}

/** Returns the limits of the rest of a batch that has these commands. */
function remainingAfter(commands: readonly string[][]): BatchLimits {
  const channels = commands.reduce((sum, command) => sum + command.length, 0);
  return { channels: batchLimits.channels - channels, commands: batchLimits.commands - commands.length };
}
