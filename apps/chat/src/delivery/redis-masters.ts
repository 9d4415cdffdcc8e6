import { isIPv6 } from 'node:net';
import { type RedisClient } from '@waggle/service/redis';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { slotOf, slotsCount } from './key-slot';

/** So long after something went wrong it is asked where the slots are, so that many faults ask once. */
const lookAfterMs = 100;

/** The masters of a Redis Cluster and the channels of each; a single Redis is the one master of all channels. */
export class RedisMasters {
  /** The address of each slot's master, as `host:port`; undefined where none is known. */
  private bySlot: (string | undefined)[] = [];
  private lookTimer: NodeJS.Timeout | undefined;
  private isClosed = false;
  private readonly read = () => {
    this.readSlots();
  };
  /** Called when channels have another master than before, with what says which. */
  onChange: (hasMoved: (channel: string) => boolean) => void = () => undefined;

  /**
   * @param redis a client that is connected; it knows where the slots are
   * @param urls the client's: a connection to a master is made with what the first one says
   */
  constructor(
    private readonly redis: RedisClient,
    private readonly urls: readonly string[],
  ) {
    this.readSlots();
    if (redis instanceof Cluster) redis.on('refresh', this.read);
  }

  addresses(): Set<string> {
    return new Set(this.bySlot.flatMap((address) => address ?? []));
  }

  /** The address of the master that carries a channel; undefined where none is known. */
  findFor(channel: string): string | undefined {
    return this.bySlot[slotOf(channel)];
  }

  /** A connection to a master for oneself, as for subscriptions. */
  connect(address: string, options: RedisOptions): Redis {
    const [first = ''] = this.urls;
    return new Redis(this.redis instanceof Cluster ? withAddress(first, address) : first, options);
  }

  /**
   * Asks before long which master serves which slot. To be called again and again, since a master that is gone does not say
   * who takes its place, and when something speaks for a change. (The client's own `slotsRefreshInterval` goes on after it
   * was disconnected while it asked.)
   */
  look() {
    const { redis } = this;
    if (this.isClosed || !(redis instanceof Cluster)) return;
    this.lookTimer ??= setTimeout(() => {
      this.lookTimer = undefined;
      redis.refreshSlotsCache();
    }, lookAfterMs);
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.lookTimer);
    this.redis.off('refresh', this.read);
  }

  private readSlots() {
    const { redis } = this;
    const slots = redis instanceof Cluster ? redis.slots : Array.from({ length: slotsCount }, () => ['the only one']);
    const bySlot = Array.from({ length: slotsCount }, (_none, slot) => slots[slot]?.[0]);
    const before = this.bySlot;
    if (bySlot.every((address, slot) => address === before[slot])) return;
    this.bySlot = bySlot;
    this.onChange((channel) => {
      const slot = slotOf(channel);
      return bySlot[slot] !== before[slot];
    });
  }
}

function withAddress(text: string, address: string): string {
  const url = new URL(text);
  const portAt = address.lastIndexOf(':');
  const host = address.slice(0, portAt);
  url.hostname = isIPv6(host) ? `[${host}]` : host;
  url.port = address.slice(portAt + 1);
  return url.href;
}
