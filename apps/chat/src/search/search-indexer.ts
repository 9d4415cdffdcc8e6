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
import { BackgroundTask } from '../background-task';
import { LogStore } from '../log/log.store';
import { maxUnindexedMs, SearchIndexStore } from './search-index.store';
import { SEARCH_SETTINGS, type SearchSettings } from './search-settings';

/** Pause when everything is indexed, in milliseconds: how late a message is found. */
const idleMs = 1_000;
/** Maximum number of conversations that a step indexes. */
const stepConversations = 20;
/** The longest period of the commit log that is read at once, in milliseconds. */
const maxPeriodMs = 60_000;
/** The clock of a promoted standby may be behind, so this much of the log before `indexedUntil` is read again. */
const clockMarginMs = 10_000;
/** Maximum number of streams in `readSeqs`. */
const maxReadSeqs = 50_000;

/** A period of the commit log that ends at `until`, and the conversations with commits in it that are to be indexed. */
interface Period {
  until: Date;
  conversations: readonly string[];
}

/** A batch of conversations up to `last`, without the ones whose older messages are all indexed. */
interface OlderConversations {
  last: string;
  conversations: readonly string[];
}

/**
 * Fills the search index from the commit log, a second later, so that storing a message costs nothing more. Only the
 * instance with the lease does it; what it has done is in the database, and another one continues after it. The log
 * keeps commits until they are indexed (`RetentionStore.removeCommits`). A pause follows each step, so that a backlog
 * does not slow down writers; messages are found later instead.
 *
 * | state of `search_progress` | next step |
 * | --- | --- |
 * | `indexed_until` null or too long ago | read the log from now on, and index older messages by conversation |
 * | edits queued | index their blocks again |
 * | log beyond `indexed_until` | index its conversations, then move `indexed_until` |
 * | `built_to` not null | index older messages of the next conversations, then move `built_to` |
 * | otherwise | wait |
 */
@Injectable()
export class SearchIndexer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly name = newIdentifier();
  private readonly task: BackgroundTask;
  private hasLease = false;
  /** The period of the log that is being indexed; undefined between two. */
  private period: Period | undefined;
  /** The conversations whose older messages are being indexed; undefined if the next ones are to be read. */
  private older: OlderConversations | undefined;
  /** The last sequence numbers read from the log, by stream, so that `clockMarginMs` is not indexed again. */
  private readonly readSeqs = new Map<string, number>();
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
    this.task = new BackgroundTask(() => (settings.isOn ? this.step() : this.clear()), this.failures, idleMs);
  }

  onApplicationBootstrap(): void {
    void this.task.start();
  }

  /** Waits for the current step, and lets another instance continue at once. */
  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
    if (!this.hasLease) return;
    try {
      await this.store.release(this.name);
    } catch (error) {
      this.failures.log(error);
    }
  }

  /** While the search is off nothing is indexed, and the log is not kept: the index would lack later messages. */
  private async clear(): Promise<undefined> {
    await this.store.clear(this.pool);
  }

  /** @returns the pause after the step, in milliseconds */
  private async step(): Promise<number> {
    const startedAtMs = performance.now();
    const hasMore = await this.tryIndex();
    const pauseMs = (performance.now() - startedAtMs) * (100 / this.settings.indexPercent - 1);
    return hasMore ? pauseMs : Math.max(idleMs, pauseMs);
  }

  private async tryIndex(): Promise<boolean> {
    try {
      return await this.index();
    } catch (error) {
      // What this step has indexed was rolled back.
      this.forget();
      this.failures.log(error);
      return false;
    }
  }

  /** Forgets what the next step would continue: another instance may have done it, or the index is built again. */
  private forget(): void {
    this.period = undefined;
    this.older = undefined;
    this.readSeqs.clear();
  }

  /** Indexes a part of what is missing. @returns whether there is more */
  private async index(): Promise<boolean> {
    // Before the transaction, which would count as one that has not committed yet.
    const completeUntil = await this.log.findCompleteUntil();
    return await inTransaction(this.pool, async (client) => {
      const progress = await this.store.lease(client, this.name);
      this.hasLease = progress !== undefined;
      if (progress === undefined) {
        this.forget();
        return false;
      }
      const { indexedUntil, builtTo } = progress;
      if (indexedUntil === null || completeUntil.getTime() - indexedUntil.getTime() > maxUnindexedMs / 2) {
        // The log may lack what is not indexed, so the index is built from the conversations.
        this.forget();
        await this.store.saveProgress(client, { indexedUntil: completeUntil, builtTo: '' });
        return true;
      }
      return await this.advance(client, { indexedUntil, builtTo }, completeUntil);
    });
  }

  /** Indexes edits, then the log, then older messages. @returns whether there is more */
  private async advance(
    client: ClientBase,
    progress: { indexedUntil: Date; builtTo: string | null },
    completeUntil: Date,
  ): Promise<boolean> {
    const hasEdits = await this.store.indexEdited(client);
    const indexedUntil = await this.indexLog(client, progress.indexedUntil, completeUntil);
    // Between two periods, so that older messages are indexed even if the log always has more.
    const builtTo = this.period === undefined ? await this.indexOlder(client, progress.builtTo) : progress.builtTo;
    await this.store.saveProgress(client, { indexedUntil, builtTo });
    return hasEdits || this.period !== undefined || indexedUntil < completeUntil || builtTo !== null;
  }

  /** Indexes conversations of a period of the log. @returns the new `indexedUntil` */
  private async indexLog(client: ClientBase, indexedUntil: Date, completeUntil: Date): Promise<Date> {
    this.period ??= await this.readPeriod(client, indexedUntil, completeUntil);
    const { until } = this.period;
    const conversations = await this.indexFirst(client, this.period.conversations);
    if (conversations.length > 0) {
      this.period = { until, conversations };
      return indexedUntil;
    }
    this.period = undefined;
    return until > indexedUntil ? until : indexedUntil;
  }

  private async readPeriod(client: ClientBase, indexedUntil: Date, completeUntil: Date): Promise<Period> {
    const until = new Date(Math.min(completeUntil.getTime(), indexedUntil.getTime() + maxPeriodMs));
    const since = new Date(indexedUntil.getTime() - clockMarginMs);
    const commits = await this.store.findCommits(client, since, until);
    const grown = [...commits].filter(([stream, seq]) => (this.readSeqs.get(stream) ?? -1) < seq);
    if (this.readSeqs.size > maxReadSeqs) this.readSeqs.clear();
    for (const [stream, seq] of grown) this.readSeqs.set(stream, seq);
    return { until, conversations: grown.map(([stream]) => stream) };
  }

  /** Indexes older messages of the next conversations. @returns the new `builtTo` */
  private async indexOlder(client: ClientBase, builtTo: string | null): Promise<string | null> {
    if (builtTo === null) return null;
    if (this.older === undefined) {
      const conversations = await this.store.findConversations(client, builtTo, stepConversations);
      const last = conversations.at(-1);
      if (last === undefined) return null;
      this.older = { last, conversations };
    }
    const { last } = this.older;
    const conversations = await this.indexFirst(client, this.older.conversations);
    this.older = conversations.length > 0 ? { last, conversations } : undefined;
    return conversations.length > 0 ? builtTo : last;
  }

  /** Indexes messages of the first conversations. @returns the conversations without those that are complete */
  private async indexFirst(client: ClientBase, conversations: readonly string[]): Promise<string[]> {
    if (conversations.length === 0) return [];
    const { count, rest } = await this.store.indexNext(client, conversations.slice(0, stepConversations));
    this.counter.inc(count);
    return [...rest, ...conversations.slice(stepConversations)];
  }
}
