import { EventEmitter } from 'node:events';
import { isIPv6 } from 'node:net';
import { type RedisClient } from '@waggle/service/redis';
import slotOf from 'cluster-key-slot';
import { Cluster, Redis, type RedisOptions } from 'ioredis';

/** Number of slots of a Redis Cluster. */
const slotsCount = 16_384;

/** Takes the place of an address if Redis is not a cluster; `connect` then uses the first URL. */
const singleAddress = 'single';

/** Delay of a refresh of the slots, in milliseconds, so that many errors cause one refresh. */
const refreshDelayMs = 100;

const connectionOptions: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResubscribe: false,
  // Ends a connection whose server hangs, since it does not close its side.
  disconnectTimeout: 100,
  retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
};

/**
 * The masters of a Redis Cluster and the channels of each, for `RedisBus`; a single Redis is the master of all
 * channels. Emits `moved` when channels have moved to another master, or their master has become known or unknown, with
 * a predicate: did this channel move?
 */
export class RedisMasters extends EventEmitter<{ moved: [hasChannelMoved: (channel: string) => boolean] }> {
  /** The address of each slot's master, as `host:port` (`singleAddress` without a cluster); undefined if unknown. */
  private addressBySlot: (string | undefined)[] = [];
  private refreshTimer: NodeJS.Timeout | undefined;
  private isClosed = false;
  private readonly onRefresh = () => {
    this.readSlots();
  };

  /**
   * @param redis a connected client, which knows the slots
   * @param urls with which `redis` was created; connections to masters use the credentials and options of the first one
   */
  constructor(
    private readonly redis: RedisClient,
    private readonly urls: readonly string[],
  ) {
    super();
    // Emits to no listener yet: the caller reads `addresses()` itself.
    this.readSlots();
    if (redis instanceof Cluster) redis.on('refresh', this.onRefresh);
  }

  /** The addresses of all known masters. */
  addresses(): Set<string> {
    return new Set(this.addressBySlot.flatMap((address) => address ?? []));
  }

  /** Returns the address of the master that serves a channel; undefined if unknown. */
  findAddress(channel: string): string | undefined {
    return this.addressBySlot[slotOf(channel)];
  }

  /** Channels of the same group fit into one command: in a cluster those of a slot, otherwise all. */
  slotGroupOf(channel: string): number {
    return this.redis instanceof Cluster ? slotOf(channel) : 0;
  }

  /** Opens a separate connection to a master. It reconnects by itself; commands are neither queued nor retried. */
  connect(address: string): Redis {
    const [first = ''] = this.urls;
    return new Redis(this.redis instanceof Cluster ? withAddress(first, address) : first, connectionOptions);
  }

  /**
   * Schedules a refresh of the slots. `RedisBus` calls it periodically and after errors: a master that has failed does
   * not announce its successor. The client's `slotsRefreshInterval` is not used: its timer is set again if the client
   * is disconnected during a refresh, and would keep the process alive.
   */
  refreshSoon(): void {
    const { redis } = this;
    if (this.isClosed || !(redis instanceof Cluster)) return;
    this.refreshTimer ??= setTimeout(() => {
      this.refreshTimer = undefined;
      redis.refreshSlotsCache();
    }, refreshDelayMs);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.refreshTimer);
    this.redis.off('refresh', this.onRefresh);
  }

  private readSlots(): void {
    const { redis } = this;
    const slots = redis instanceof Cluster ? redis.slots : Array.from({ length: slotsCount }, () => [singleAddress]);
    const addressBySlot = Array.from({ length: slotsCount }, (_none, slot) => slots[slot]?.[0]);
    const before = this.addressBySlot;
    if (addressBySlot.every((address, slot) => address === before[slot])) return;
    this.addressBySlot = addressBySlot;
    this.emit('moved', (channel) => {
      const slot = slotOf(channel);
      return addressBySlot[slot] !== before[slot];
    });
  }
}

function withAddress(urlText: string, address: string): string {
  const url = new URL(urlText);
  const portAt = address.lastIndexOf(':');
  const host = address.slice(0, portAt);
  url.hostname = isIPv6(host) ? `[${host}]` : host;
  url.port = address.slice(portAt + 1);
  return url.href;
}
