import { Inject, Injectable } from '@nestjs/common';
import { POOL, type Queryable, type RowOf, sql, Statement } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { commitLogTable } from '../log/commit-log.entity';
import { conversationTable } from '../log/conversation.entity';
import { eventTable } from '../log/event.entity';
import { messageTable } from '../log/message.entity';
import { opaqueLimit } from '../opaque-limit';
import { groupBy } from '../portions';
import { blockSeqs, buildBlocks, firstSeqOf, type IndexedMessage } from './search-block';
import { searchBlockTable } from './search-block.entity';
import { searchEditTable } from './search-edit.entity';
import { searchProgressTable } from './search-progress.entity';

/** How long the commit log keeps commits that are not indexed. If the index is further behind, it is built again. */
export const maxUnindexedMs = 24 * 60 * 60_000;

/** Maximum number of messages of a conversation that are indexed at once. */
const maxMessages = 2 * blockSeqs;
/**
 * Maximum length of the texts that are indexed at once, in UTF-16 units. Their terms take the process a few tenths of a
 * second.
 */
const maxTextLength = 200_000;
/** Maximum number of edited messages that are indexed again at once. */
const maxEdits = 100;
/** If the instance with the lease does not index for this long, another one takes over. */
const leaseMs = 30_000;

/** How far the index is. */
export interface SearchProgress {
  /** The index has all messages that were committed before; null before it is first built. */
  indexedUntil: Date | null;
  /** The last conversation whose older messages the index has; null if it has all messages. */
  builtTo: string | null;
}

const progressColumns = { indexed_until: searchProgressTable.indexedUntil, built_to: searchProgressTable.builtTo };

/** Returns the only row of `search_progress`. */
const searchProgress = new Statement({
  name: 'search-progress',
  text: 'SELECT indexed_until, built_to FROM search_progress',
  parameters: {},
  columns: progressColumns,
});

/** Takes or renews the lease for an indexer. Returns the progress; no row if another one has the lease. */
const leaseSearchIndex = new Statement({
  name: 'lease-search-index',
  text: `
    UPDATE search_progress SET indexer = $1, leased_until = clock_timestamp() + interval '${leaseMs} ms'
    WHERE indexer = $1 OR leased_until < clock_timestamp() RETURNING indexed_until, built_to`,
  parameters: { indexer: searchProgressTable.indexer },
  columns: progressColumns,
});

const releaseSearchIndex = new Statement({
  name: 'release-search-index',
  text: `UPDATE search_progress SET leased_until = '-infinity' WHERE indexer = $1`,
  parameters: { indexer: searchProgressTable.indexer },
  columns: {},
});

const saveSearchProgress = new Statement({
  name: 'save-search-progress',
  text: 'UPDATE search_progress SET indexed_until = $1, built_to = $2',
  parameters: { indexedUntil: searchProgressTable.indexedUntil, builtTo: searchProgressTable.builtTo },
  columns: {},
});

const clearSearchIndex = new Statement({
  name: 'clear-search-index',
  text: 'TRUNCATE search_block, search_edit',
  parameters: {},
  columns: {},
});

/** Returns the streams with commits from `$1` to before `$2`, each with its last sequence number. */
const commitsBetween = new Statement({
  name: 'commits-between',
  text: `
    SELECT position.stream, max(position.seq) AS last_seq
    FROM commit_log CROSS JOIN LATERAL unnest(streams, seqs) AS position (stream, seq)
    WHERE at >= $1 AND at < $2 GROUP BY position.stream`,
  parameters: { since: commitLogTable.at, until: commitLogTable.at },
  columns: { stream: sql.notNull(eventTable.stream), last_seq: sql.notNull(conversationTable.lastSeq) },
});

/** Returns the first conversations after `$1`, in the order of ids. */
const conversationsToIndex = new Statement({
  name: 'conversations-to-index',
  text: `SELECT id FROM conversation WHERE id > $1 ORDER BY id LIMIT ${opaqueLimit('$2')}`,
  parameters: { after: conversationTable.id, limit: sql.int4 },
  columns: { id: conversationTable.id },
});

const indexedColumns = {
  conversation_id: messageTable.conversationId,
  seq: messageTable.seq,
  sender: messageTable.sender,
  content: messageTable.content,
  attachments: messageTable.attachments,
  sent_at: messageTable.sentAt,
};
type MessageRow = RowOf<typeof indexedColumns>;
const selectIndexed = 'SELECT conversation_id, seq, sender, content, attachments, sent_at FROM message';

/**
 * Returns the next messages of each conversation that the index lacks, in order, at most `maxMessages`. They begin with
 * their whole block, part of which may be indexed already: a block is stored as a whole.
 */
const messagesToIndex = new Statement({
  name: 'messages-to-index',
  text: `
    SELECT found.*
    FROM unnest($1::text[]) AS wanted (id)
    CROSS JOIN LATERAL (
      SELECT coalesce(
        (SELECT last_seq FROM search_block WHERE conversation_id = wanted.id ORDER BY first_seq DESC LIMIT 1), 0
      ) AS seq OFFSET 0
    ) indexed
    CROSS JOIN LATERAL (
      SELECT seq FROM message
      WHERE conversation_id = wanted.id AND seq > indexed.seq AND deleted_at IS NULL ORDER BY seq LIMIT 1
    ) next
    CROSS JOIN LATERAL (
      ${selectIndexed}
      WHERE conversation_id = wanted.id AND seq >= next.seq - next.seq % ${blockSeqs} AND deleted_at IS NULL
      ORDER BY seq LIMIT ${opaqueLimit(maxMessages)}
    ) found`,
  parameters: { conversationIds: sql.arrayOf(messageTable.conversationId) },
  columns: indexedColumns,
});

/** Removes some edits from the queue, and returns their messages. */
const takeSearchEdits = new Statement({
  name: 'take-search-edits',
  text: `
    DELETE FROM search_edit WHERE ctid = ANY(ARRAY(SELECT ctid FROM search_edit LIMIT ${maxEdits}))
    RETURNING conversation_id, seq`,
  parameters: {},
  columns: { conversation_id: searchEditTable.conversationId, seq: searchEditTable.seq },
});

/** Returns the messages of stored blocks, up to the last one that the index has: it reads later ones from the log. */
const messagesOfBlocks = new Statement({
  name: 'messages-of-blocks',
  text: `
    SELECT found.*
    FROM unnest($1::text[], $2::bigint[]) AS wanted (conversation_id, first_seq)
    CROSS JOIN LATERAL (
      SELECT last_seq FROM search_block
      WHERE conversation_id = wanted.conversation_id AND first_seq = wanted.first_seq LIMIT 1
    ) block
    CROSS JOIN LATERAL (
      ${selectIndexed}
      WHERE conversation_id = wanted.conversation_id AND seq BETWEEN wanted.first_seq AND block.last_seq AND deleted_at IS NULL
      ORDER BY seq LIMIT ${opaqueLimit(blockSeqs)}
    ) found`,
  parameters: {
    conversationIds: sql.arrayOf(searchBlockTable.conversationId),
    firstSeqs: sql.arrayOf(searchBlockTable.firstSeq),
  },
  columns: indexedColumns,
});

const removeSearchBlocks = new Statement({
  name: 'remove-search-blocks',
  text: `
    DELETE FROM search_block USING unnest($1::text[], $2::bigint[]) AS wanted (id, first_seq)
    WHERE conversation_id = wanted.id AND search_block.first_seq = wanted.first_seq`,
  parameters: {
    conversationIds: sql.arrayOf(searchBlockTable.conversationId),
    firstSeqs: sql.arrayOf(searchBlockTable.firstSeq),
  },
  columns: {},
});

const storeSearchBlocks = new Statement({
  name: 'store-search-blocks',
  // An array of arrays would need rows of equal length, so each list of numbers is passed as text.
  text: `
    INSERT INTO search_block (conversation_id, first_seq, last_seq, times, terms, messages)
    SELECT conversation_id, first_seq, last_seq, times::bigint[], terms::int[], messages::int[]
    FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[])
      AS block (conversation_id, first_seq, last_seq, times, terms, messages)
    ON CONFLICT (conversation_id, first_seq)
      DO UPDATE SET last_seq = excluded.last_seq, times = excluded.times, terms = excluded.terms,
        messages = excluded.messages`,
  parameters: {
    conversationIds: sql.arrayOf(searchBlockTable.conversationId),
    firstSeqs: sql.arrayOf(searchBlockTable.firstSeq),
    lastSeqs: sql.arrayOf(searchBlockTable.lastSeq),
    times: sql.arrayOf(sql.text),
    terms: sql.arrayOf(sql.text),
    messages: sql.arrayOf(sql.text),
  },
  columns: {},
});

/** Reads what is to be indexed, and writes the search index. */
@Injectable()
export class SearchIndexStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** Returns how far the index is. */
  async readProgress(client: Queryable = this.pool): Promise<SearchProgress> {
    const row = await searchProgress.find(client, {});
    if (row === undefined) throw new Error('search_progress has no row');
    return { indexedUntil: row.indexed_until, builtTo: row.built_to };
  }

  /**
   * Takes or renews the lease of the index, and locks it until the transaction ends.
   *
   * @returns undefined if another instance has it
   */
  async lease(client: ClientBase, indexer: string): Promise<SearchProgress | undefined> {
    const row = await leaseSearchIndex.find(client, { indexer });
    return row && { indexedUntil: row.indexed_until, builtTo: row.built_to };
  }

  /** Lets another instance index at once. */
  async release(indexer: string): Promise<void> {
    await releaseSearchIndex.execute(this.pool, { indexer });
  }

  /** Removes the index. */
  async clear(client: Queryable): Promise<void> {
    await clearSearchIndex.execute(client, {});
    await this.saveProgress(client, { indexedUntil: null, builtTo: null });
  }

  async saveProgress(client: Queryable, progress: SearchProgress): Promise<void> {
    await saveSearchProgress.execute(client, { ...progress });
  }

  /** Returns the last sequence numbers of the streams that have grown in a period. */
  async findCommits(client: ClientBase, since: Date, until: Date): Promise<Map<string, number>> {
    const rows = await commitsBetween.query(client, { since, until });
    return new Map(rows.map(({ stream, last_seq }) => [stream, Number(last_seq)]));
  }

  /** Returns the first conversations after one, in the order of ids. */
  async findConversations(client: ClientBase, after: string, limit: number): Promise<string[]> {
    return (await conversationsToIndex.query(client, { after, limit })).map(({ id }) => id);
  }

  /**
   * Indexes the next messages of conversations.
   *
   * @returns the number of messages, and the conversations that may have more
   */
  async indexNext(client: ClientBase, conversationIds: readonly string[]): Promise<{ count: number; rest: string[] }> {
    const found = await messagesToIndex.query(client, { conversationIds });
    const rows = found.slice(0, countThatFits(found));
    const byConversation = await this.storeBlocks(client, rows);
    const leftOut = new Set(found.slice(rows.length).map((row) => row.conversation_id));
    const rest = conversationIds.filter((id) => leftOut.has(id) || byConversation.get(id)?.length === maxMessages);
    return { count: rows.length, rest };
  }

  /**
   * Indexes the blocks of edited messages again, and removes those whose messages are all deleted.
   * @returns whether there may be more
   */
  async indexEdited(client: ClientBase): Promise<boolean> {
    const edits = await takeSearchEdits.query(client, {});
    if (edits.length === 0) return false;
    const blockKey = ({ conversation_id: id, seq }: (typeof edits)[number]) => `${id} ${firstSeqOf(Number(seq))}`;
    const editedBlocks = new Map(
      edits.map((edit) => [blockKey(edit), { id: edit.conversation_id, seq: Number(edit.seq) }]),
    );
    // A later statement than the one that took the edits, so it sees the edited texts.
    const rows = await messagesOfBlocks.query(client, columnsOf([...editedBlocks.values()]));
    await this.storeBlocks(client, rows);
    const emptyBlocks = new Map(editedBlocks);
    for (const row of rows) emptyBlocks.delete(blockKey(row));
    if (emptyBlocks.size > 0) await removeSearchBlocks.execute(client, columnsOf([...emptyBlocks.values()]));
    return edits.length === maxEdits;
  }

  /** Stores the blocks of messages. @returns the messages by conversation */
  private async storeBlocks(client: ClientBase, rows: readonly MessageRow[]): Promise<Map<string, MessageRow[]>> {
    const byConversation = groupBy(rows, ({ conversation_id }) => conversation_id);
    const blocks = [...byConversation].flatMap(([id, messages]) =>
      buildBlocks(messages.map(toIndexed)).map((block) => ({ id, ...block })),
    );
    if (blocks.length > 0) {
      await storeSearchBlocks.execute(client, {
        conversationIds: blocks.map(({ id }) => id),
        firstSeqs: blocks.map(({ firstSeq }) => firstSeq),
        lastSeqs: blocks.map(({ lastSeq }) => lastSeq),
        times: blocks.map(({ times }) => `{${times.join(',')}}`),
        terms: blocks.map(({ terms }) => `{${terms.join(',')}}`),
        messages: blocks.map(({ messages }) => `{${messages.join(',')}}`),
      });
    }
    return byConversation;
  }
}

/** Returns how many texts are within `maxTextLength`, but at least a block, so that each step gets further. */
function countThatFits(rows: readonly MessageRow[]): number {
  let length = 0;
  for (const [i, { content }] of rows.entries()) {
    length += content.length;
    if (length > maxTextLength && i >= blockSeqs) return i;
  }
  return rows.length;
}

function toIndexed({ seq, sender, content, attachments, sent_at }: MessageRow): IndexedMessage {
  return { seq: Number(seq), sender, content, attachments, sentAtMs: sent_at.getTime() };
}

function columnsOf(messages: readonly { id: string; seq: number }[]) {
  return {
    conversationIds: messages.map(({ id }) => id),
    firstSeqs: messages.map(({ seq }) => firstSeqOf(seq)),
  };
}
