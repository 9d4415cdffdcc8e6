import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** Accounts remembered at most, and channels of each; the one that was looked at longest ago is forgotten first. */
const accountsMost = 20_000;
const channelsMost = 50;

/** Who follows which channel without being a member: whoever has asked for it over REST, at this instance. */
@Injectable()
export class ChannelWatchers {
  private readonly watchers = new Map<string, Set<string>>();
  /** Reads on their way, as long as what they will find is current. */
  private readonly current = new Set<{ account: string }>();
  private readonly channels = new LRUCache<string, Set<string>>({
    max: accountsMost,
    dispose: (channels, account) => {
      for (const id of channels) this.drop(account, id);
    },
  });

  /**
   * Reads, and watches what is found to be watchable. Where the account stops following meanwhile (it may have been kept
   * out), what was read is old and is read again.
   */
  async watchWhatIsFound<Found>(
    account: string,
    read: () => Promise<{ found: Found; watchable: readonly string[] }>,
  ): Promise<Found> {
    const reading = { account };
    try {
      for (;;) {
        this.current.add(reading);
        const { found, watchable } = await read();
        if (!this.current.has(reading)) continue;
        for (const id of watchable) this.watch(account, id);
        return found;
      }
    } finally {
      this.current.delete(reading);
    }
  }

  watch(account: string, conversationId: string) {
    const channels = this.channels.get(account) ?? new Set();
    // Put last again: a set is in the order of insertion.
    channels.delete(conversationId);
    channels.add(conversationId);
    const [oldest] = channels;
    if (channels.size > channelsMost && oldest !== undefined) this.unwatch(account, oldest);
    if (!this.channels.has(account)) this.channels.set(account, channels);
    const watchers = this.watchers.get(conversationId);
    if (watchers === undefined) this.watchers.set(conversationId, new Set([account]));
    else watchers.add(account);
  }

  unwatch(account: string, conversationId: string) {
    for (const reading of this.current) if (reading.account === account) this.current.delete(reading);
    this.channels.peek(account)?.delete(conversationId);
    this.drop(account, conversationId);
  }

  of(conversationId: string): Iterable<string> {
    return this.watchers.get(conversationId) ?? [];
  }

  private drop(account: string, conversationId: string) {
    const watchers = this.watchers.get(conversationId);
    watchers?.delete(account);
    if (watchers?.size === 0) this.watchers.delete(conversationId);
  }
}
