import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import {
  Counter,
  inTransaction,
  LOGGER,
  type Logger,
  newIdentifier,
  POOL,
  Registry,
  ThrottledLog,
} from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { LogStore } from '../log/log.store';
import { maxUnindexedMs, SearchIndexStore, type SearchProgress } from './search-index.store';
import { SEARCH_SETTINGS, type SearchSettings } from './search-settings';

/** Pause when everything is indexed, in milliseconds: how late a message is found. */
const idleMs = 1_000;
/** Conversations that a step indexes. */
const stepConversations = 20;
/** The longest period of the commit log that is read at once, in milliseconds. */
const maxWindowMs = 60_000;
/** The clock of a promoted standby may be behind, so this much of the log before `indexedUntil` is read again. */
const clockMarginMs = 10_000;
/** Bound of the sequence numbers that are remembered so that the margin is not indexed again. */
const maxRemembered = 50_000;

/** A period of the commit log, and the conversations in it that are not indexed yet. */
interface Window {
  until: Date;
  conversations: string[];
}

/**
 * Fills the search index from the commit log, a second later, so that storing a message costs nothing more. Only one
 * instance does it; what it has done is in the database, and another one continues after it. The log keeps commits
 * until they are indexed (`RetentionStore.removeCommits`). A pause follows each step, so that a backlog does not slow
 * down writers; messages are found later instead.
 *
 * | state of `search_progress` | next step |
 * | --- | --- |
 * | `indexed_until` null or too long ago | read the log from now on, and build the rest by conversation |
 * | edits queued | index their blocks again |
 * | log beyond `indexed_until` | index its conversations, then move `indexed_until` |
 * | `built_to` not null | index the next conversations, then move `built_to` |
 * | otherwise | wait |
 */
@Injectable()
export class SearchIndexer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly name = newIdentifier();
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private window: Window | undefined;
  private building: { to: string; conversations: string[] } | undefined;
  /** The last indexed sequence numbers of streams that have grown lately. */
  private readonly indexed = new Map<string, number>();
  private readonly counter: Counter;
  private readonly failures: ThrottledLog;

  constructor(
    private readonly store: SearchIndexStore,
    private readonly log: LogStore,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(SEARCH_SETTINGS) private readonly settings: SearchSettings,
    @Inject(Registry) metrics: Registry,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.counter = new Counter({
      name: 'chat_search_indexed_total',
      help: 'Messages that this instance has added to the search index, some of them several times',
      registers: [metrics],
    });
    this.failures = ThrottledLog.errors(logger, 'cannot index messages for the search');
  }

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  /** Waits for the current step. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const startedAtMs = performance.now();
      const hasMore = await this.tryStep();
      const tookMs = performance.now() - startedAtMs;
      if (!this.settings.isOn) return;
      const pauseMs = tookMs * (100 / this.settings.indexPercent - 1);
      await this.pause(hasMore ? pauseMs : Math.max(idleMs, pauseMs));
    }
    if (this.settings.isOn) await this.release();
  }

  private async release(): Promise<void> {
    try {
      await this.store.release(this.name);
    } catch (error) {
      this.failures.log(error);
    }
  }

  private async tryStep(): Promise<boolean> {
    try {
      // While the search is off nothing is indexed, and the log is not kept. It starts again when it is on.
      if (!this.settings.isOn) {
        await this.store.clear(this.pool);
        return false;
      }
      return await this.step();
    } catch (error) {
      // What this step has indexed was rolled back.
      this.forget();
      this.failures.log(error);
      return false;
    }
  }

  private forget(): void {
    this.window = undefined;
    this.building = undefined;
    this.indexed.clear();
  }

  /** @returns whether there is more to do */
  private async step(): Promise<boolean> {
    // Before the transaction, which would count as one that has not committed yet.
    const completeUntil = await this.log.findCompleteUntil();
    return await inTransaction(this.pool, async (client) => {
      const progress = await this.store.lease(client, this.name);
      if (progress === undefined) {
        this.forget();
        return false;
      }
      const { indexedUntil } = progress;
      if (indexedUntil === null || completeUntil.getTime() - indexedUntil.getTime() > maxUnindexedMs / 2) {
        this.forget();
        await this.store.saveProgress(client, { indexedUntil: completeUntil, builtTo: '' });
        return true;
      }
      const current = { ...progress, indexedUntil };
      const hasEdits = await this.store.indexEdited(client);
      const hasLog = await this.indexLog(client, current, completeUntil);
      // Between two periods of the log, so that a busy log does not keep older messages out.
      const hasOlder = this.window === undefined && (await this.build(client, current));
      return hasEdits || hasLog || hasOlder;
    });
  }

  /** @returns whether there is more in the log */
  private async indexLog(
    client: ClientBase,
    progress: SearchProgress & { indexedUntil: Date },
    completeUntil: Date,
  ): Promise<boolean> {
    this.window ??= await this.openWindow(client, progress.indexedUntil, completeUntil);
    const { until, conversations } = this.window;
    await this.indexSome(client, conversations);
    if (conversations.length > 0) return true;
    this.window = undefined;
    if (until > progress.indexedUntil) {
      progress.indexedUntil = until;
      await this.store.saveProgress(client, progress);
    }
    return until < completeUntil;
  }

  private async openWindow(client: ClientBase, indexedUntil: Date, completeUntil: Date): Promise<Window> {
    const until = new Date(Math.min(completeUntil.getTime(), indexedUntil.getTime() + maxWindowMs));
    const since = new Date(indexedUntil.getTime() - clockMarginMs);
    const commits = await this.store.findCommits(client, since, until);
    const grown = [...commits].filter(([stream, seq]) => (this.indexed.get(stream) ?? -1) < seq);
    if (this.indexed.size > maxRemembered) this.indexed.clear();
    for (const [stream, seq] of grown) this.indexed.set(stream, seq);
    return { until, conversations: grown.map(([stream]) => stream) };
  }

  /** Indexes older messages. @returns whether there are more */
  private async build(client: ClientBase, progress: SearchProgress): Promise<boolean> {
    const { builtTo } = progress;
    if (builtTo === null) return false;
    if (this.building === undefined) {
      const conversations = await this.store.findConversations(client, builtTo, stepConversations);
      this.building = { to: conversations.at(-1) ?? '', conversations };
      if (conversations.length === 0) {
        this.building = undefined;
        await this.store.saveProgress(client, { ...progress, builtTo: null });
        return false;
      }
    }
    await this.indexSome(client, this.building.conversations);
    if (this.building.conversations.length > 0) return true;
    await this.store.saveProgress(client, { ...progress, builtTo: this.building.to });
    this.building = undefined;
    return true;
  }

  /** Indexes the first conversations of a list, and removes those that are complete. */
  private async indexSome(client: ClientBase, conversations: string[]): Promise<void> {
    if (conversations.length === 0) return;
    const { count, rest } = await this.store.indexNew(client, conversations.slice(0, stepConversations));
    conversations.splice(0, stepConversations, ...rest);
    this.counter.inc(count);
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => {
      // Aborted by the shutdown.
    });
  }
}
