import { Inject, Injectable } from '@nestjs/common';
import { type SearchHit, type SearchMessagesQuery, type SearchResults } from '@waggle/contracts';
import { ConcurrencyLimiter, inTransaction, POOL } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { ChatError, notFound } from '../errors';
import { decodeCursor, encodeCursor, maxPageBytes, timeCursor } from '../lists/page';
import { toMessage } from '../log/entry';
import { toBody, toRichFields } from '../log/message-body';
import { FrameLimits } from '../realtime/frame-limits';
import { SearchIndexStore } from './search-index.store';
import { matchMessage, parseSearchQuery, type SearchQuery } from './search-query';
import { SEARCH_SETTINGS, type SearchSettings } from './search-settings';
import { type FoundMessage, type ResultKey, SearchStore } from './search.store';

/** Price of a page, in plain frames: with the default limits an account can read five in a second, after a burst. */
const searchPrice = 20;
/** Candidates that are read at once. */
const readCandidates = 64;
/**
 * A page that takes longer, in milliseconds, ends early, and the next one continues. This happens if very many
 * candidates, such as the messages with two frequent words, lack the phrase.
 */
const pageTimeMs = 150;
/** The index is behind if it lacks what was committed before this time, in milliseconds. */
const behindMs = 15_000;

/** Limits of concurrent searches, so that they leave database connections to others. */
const limits = { maxRunning: 2, maxQueued: 100, maxWaitMs: 5_000 };

/** Finds messages. */
@Injectable()
export class SearchService {
  private readonly searches = new ConcurrencyLimiter(
    limits,
    () => new ChatError('unavailable', 'too many searches are waiting', { retryAfterMs: 1_000 }),
  );

  constructor(
    private readonly store: SearchStore,
    private readonly index: SearchIndexStore,
    private readonly limits: FrameLimits,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(SEARCH_SETTINGS) private readonly settings: SearchSettings,
  ) {}

  /**
   * Returns messages in the conversations of an account that meet the query, newest first. The current text is
   * compared, so entries of deleted messages and former texts in the index do no harm.
   *
   * @throws ChatError `invalid-request`; `not-found` if the account may not read the conversation of the query, or the
   * search is off; `rate-limited`; `unavailable`
   */
  async search(
    account: string,
    { q, cursor, limit }: SearchMessagesQuery,
  ): Promise<{ items: SearchResults; next: string | undefined }> {
    if (!this.settings.isOn) throw new ChatError('not-found', 'this service has no search');
    const query = parseSearchQuery(q);
    const [sentAtMs, conversationId] = cursor === undefined ? [query.beforeMs, '-'] : decodeCursor(cursor, timeCursor);
    this.limits.charge(account, { price: searchPrice });
    const find = async (client: ClientBase) => {
      await this.store.limitTime(client);
      if (query.conversationId !== undefined && !(await this.store.mayRead(client, account, query.conversationId)))
        throw notFound();
      const { hits, next } = await this.findHits(client, account, query, { sentAtMs, conversationId }, limit);
      return {
        items: { hits, ...(await this.readProgress(client)) },
        next: next && encodeCursor([next.sentAtMs, next.conversationId]),
      };
    };
    return this.searches.run(() => inTransaction(this.pool, find));
  }

  /**
   * Reads candidates after a key, and compares their texts with the query, until the page is full or takes too long.
   *
   * @returns `next`: the key after which the next page begins; undefined if this is the last one
   */
  private async findHits(
    client: ClientBase,
    account: string,
    query: SearchQuery,
    after: ResultKey,
    limit: number,
  ): Promise<{ hits: SearchHit[]; next: ResultKey | undefined }> {
    const startedAtMs = performance.now();
    const hits: SearchHit[] = [];
    let bytes = 0;
    for (let from: ResultKey | undefined = after; from !== undefined;) {
      const { candidates, horizon } = await this.store.findCandidates(client, account, query, from);
      for (let i = 0; i < candidates.length; i += readCandidates) {
        const chunk = candidates.slice(i, i + readCandidates);
        for (const found of await this.store.readMessages(client, chunk)) {
          const hit = toHit(query, found);
          if (hit === undefined) continue;
          bytes += Buffer.byteLength(JSON.stringify(hit));
          const last = hits.at(-1);
          if (last !== undefined && (hits.length === limit || bytes > maxPageBytes)) return { hits, next: keyOf(last) };
          hits.push(hit);
        }
        const reached = chunk.at(-1);
        if (reached !== undefined && performance.now() - startedAtMs > pageTimeMs) return { hits, next: reached };
      }
      from = horizon;
    }
    return { hits, next: undefined };
  }

  private async readProgress(client: ClientBase): Promise<Pick<SearchResults, 'indexed_until' | 'building'>> {
    const { indexedUntil, builtTo } = await this.index.readProgress(client);
    const isBehind = indexedUntil !== null && Date.now() - indexedUntil.getTime() > behindMs;
    return {
      ...(isBehind && { indexed_until: indexedUntil.toISOString() }),
      ...((indexedUntil === null || builtTo !== null) && { building: true as const }),
    };
  }
}

function toHit(query: SearchQuery, found: FoundMessage): SearchHit | undefined {
  const matches = matchMessage(query, found);
  if (matches === undefined) return undefined;
  const messageBody = toBody(found);
  const { id, conversation_id: conversationId, sender, recipient, sent_at: sentAt } = found;
  return {
    ...toMessage(conversationId, { id, sender, recipient, ...messageBody, sentAt: sentAt.toISOString() }),
    seq: Number(found.seq),
    ...toRichFields(messageBody),
    matches,
  };
}

const keyOf = (hit: SearchHit): ResultKey => ({
  sentAtMs: Date.parse(hit.timestamp),
  conversationId: hit.conversation_id,
});
