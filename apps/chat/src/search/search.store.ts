import { Injectable } from '@nestjs/common';
import { type Queryable, type RowOf, sql, Statement } from '@waggle/service';
import { type ClientBase } from 'pg';
import { subscribedCondition } from '../log/subscription-ranges';
import { memberTable } from '../log/member.entity';
import { body } from '../log/message-body';
import { messageTable } from '../log/message.entity';
import { opaqueLimit } from '../opaque-limit';
import { blockSeqs, hashOf } from './search-block';
import { searchBlockTable } from './search-block.entity';
import { type SearchQuery } from './search-query';

/** Maximum number of blocks that one statement returns. */
export const maxBlocks = 64;
/** Number of terms that a statement looks for; the text has to have the others as well. */
const maxTerms = 6;
/** A search that takes longer fails, in milliseconds. */
const timeoutMs = 2_000;

/** Limits the time of the transaction's statements, and runs them without compiling them first. */
const setTimeouts = new Statement({
  name: 'set-search-timeout',
  text: `SELECT set_config('statement_timeout', '${timeoutMs}', true) AS timeout, set_config('jit', 'off', true) AS jit`,
  parameters: {},
  columns: { timeout: sql.notNull(sql.text), jit: sql.notNull(sql.text) },
});

/** The numbers of the parameters with the hashes of terms: `$7` and the next ones. */
const firstTerm = 7;
const termNumbers = Array.from({ length: maxTerms }, (_, i) => firstTerm + i);
/** SQL for the index of a term in the array of a block; if it is not there, of the greatest lesser one. */
const placeOf = (term: number) => `width_bucket($${term}, terms)`;
/** SQL for the bits of the messages with a term; all if the parameter is null. */
const messagesWith = (term: number) =>
  `CASE WHEN $${term}::int IS NULL THEN -1 WHEN terms[${placeOf(term)}] = $${term} THEN messages[${placeOf(term)}] ELSE 0 END`;
/** SQL for the bits of the messages that are older than where the page begins (`$3`, `$4`). */
const messagesBefore = `((1::bigint << width_bucket($3::bigint - CASE WHEN scope.id COLLATE "C" < $4 THEN 0 ELSE 1 END, times)) - 1)::bit(${blockSeqs})::int`;
/** SQL for the bits of the messages that have all terms and may be in the page. */
const candidateBits = [...termNumbers.map(messagesWith), messagesBefore].join(' & ');

/**
 * SQL for the newest blocks of conversation `scope` with a message that has the terms. `newest_at` is the time of the
 * last candidate, whose bit is the highest one that is set.
 */
const blocksOfConversation = (condition: string, limit: 1 | '$6') => `
      SELECT first_seq, times, candidates, times[length(ltrim(candidates::bit(${blockSeqs})::text, '0'))] AS newest_at
      FROM (
        SELECT first_seq, times, (${candidateBits}) AS candidates FROM search_block
        WHERE conversation_id = scope.id AND ${condition} AND times[${blockSeqs}] >= $5
          -- Rejects most blocks.
          AND terms[${placeOf(firstTerm)}] = $${firstTerm} AND (${candidateBits}) <> 0
        ORDER BY first_seq DESC LIMIT ${opaqueLimit(limit)}
      ) matching`;
/** SQL that keeps the newest of the blocks of all conversations. */
const newestOfAll = `
    WHERE block.newest_at >= $5
    ORDER BY block.newest_at DESC, scope.id COLLATE "C" DESC LIMIT ${opaqueLimit('$6')}`;

/**
 * SQL for the newest blocks with a message that has the terms, of `conversations`, in the order of that message. `$3`
 * and `$4` are where the page begins: the message is older, or has the same time and a lesser conversation.
 *
 * Reads each conversation only up to its newest such block. Only the conversations with the newest ones are read
 * further: the others have nothing newer. For a frequent word that is a few blocks of each conversation.
 */
const selectBlocks = (conversations: string) => `
    WITH searched AS MATERIALIZED (${conversations}), newest AS MATERIALIZED (
      SELECT scope.id, block.first_seq
      FROM searched scope CROSS JOIN LATERAL (${blocksOfConversation('true', 1)}) block ${newestOfAll}
    )
    SELECT scope.id AS conversation_id, block.first_seq, block.times, block.candidates, block.newest_at
    FROM newest scope
    CROSS JOIN LATERAL (${blocksOfConversation('first_seq <= scope.first_seq', '$6')}) block ${newestOfAll}`;

const blockParameters = {
  account: memberTable.account,
  /** Null to search all conversations of the account. */
  conversationId: sql.nullable(memberTable.conversationId),
  /** Where the page begins. */
  beforeMs: sql.int8,
  beforeConversationId: sql.text,
  /** Only messages from this time on. */
  fromMs: sql.int8,
  limit: sql.int4,
  /** The hashes of terms; all but the first may be null. */
  term1: sql.int4,
  term2: sql.nullable(sql.int4),
  term3: sql.nullable(sql.int4),
  term4: sql.nullable(sql.int4),
  term5: sql.nullable(sql.int4),
  term6: sql.nullable(sql.int4),
};

const blockColumns = {
  conversation_id: sql.notNull(searchBlockTable.conversationId),
  first_seq: sql.notNull(searchBlockTable.firstSeq),
  times: sql.notNull(searchBlockTable.times),
  /** Bit n is the message with the sequence number `first_seq` + n. */
  candidates: sql.notNull(sql.int4),
  newest_at: sql.notNull(sql.int8),
};

/**
 * Returns the newest blocks with a message that has the terms, in the conversation `$2` or, if it is null, in all that
 * account `$1` is subscribed to. `candidates` has a bit for each such message, and `newest_at` is the time of the last.
 */
const searchBlocks = new Statement({
  name: 'search-blocks',
  text: selectBlocks(`
      SELECT member.conversation_id AS id FROM member
      WHERE member.account = $1 AND $2::text IS NULL AND ${subscribedCondition}
      UNION ALL
      SELECT c.id FROM conversation c LEFT JOIN member mine ON mine.conversation_id = c.id AND mine.account = $1
      WHERE c.id = $2 AND (c.type = 'channel' OR mine.status = 'member')`),
  parameters: blockParameters,
  columns: blockColumns,
});

const foundColumns = {
  seq: messageTable.seq,
  id: messageTable.id,
  conversation_id: messageTable.conversationId,
  sender: messageTable.sender,
  recipient: messageTable.recipient,
  ...body.columns,
  sent_at: messageTable.sentAt,
};
export type FoundMessage = RowOf<typeof foundColumns>;

/** Returns the messages with the given sequence numbers, in no order; none for deleted ones. */
const messagesBySeq = new Statement({
  name: 'messages-by-seq',
  text: `
    SELECT found.*
    FROM unnest($1::text[], $2::bigint[]) AS wanted (conversation_id, seq)
    CROSS JOIN LATERAL (
      SELECT seq, id, conversation_id, sender, recipient, ${body.selectFrom('message')}, sent_at FROM message
      WHERE conversation_id = wanted.conversation_id AND seq = wanted.seq AND deleted_at IS NULL LIMIT 1
    ) found`,
  parameters: { conversationIds: sql.arrayOf(messageTable.conversationId), seqs: sql.arrayOf(messageTable.seq) },
  columns: foundColumns,
});

/** Returns a row if account `$2` may read conversation `$1`. */
const isSearchable = new Statement({
  name: 'is-searchable',
  text: `
    SELECT FROM conversation c LEFT JOIN member mine ON mine.conversation_id = c.id AND mine.account = $2
    WHERE c.id = $1 AND (c.type = 'channel' OR mine.status = 'member')`,
  parameters: { conversationId: memberTable.conversationId, account: memberTable.account },
  columns: {},
});

/** The position of a message in the results: the newest first; if two have the same time, the greater conversation. */
export interface ResultKey {
  sentAtMs: number;
  conversationId: string;
}

/** A message with the terms of a search. */
export interface Candidate extends ResultKey {
  seq: number;
}

/** Reads the search index, and the messages that it finds. */
@Injectable()
export class SearchStore {
  /** Limits how long the statements of the transaction may take. */
  async limitTime(client: ClientBase): Promise<void> {
    await setTimeouts.execute(client, {});
  }

  /** Returns whether the account may read the conversation. */
  async mayRead(client: Queryable, account: string, conversationId: string): Promise<boolean> {
    return (await isSearchable.execute(client, { account, conversationId })) > 0;
  }

  /**
   * Returns messages after a key that have the terms, in the order of results.
   *
   * @returns `horizon`: the key up to which these are all; the next read begins there. Undefined if no others follow
   */
  async findCandidates(
    client: ClientBase,
    account: string,
    query: SearchQuery,
    before: ResultKey,
  ): Promise<{ candidates: Candidate[]; horizon: ResultKey | undefined }> {
    const [term1 = 0, term2 = null, term3 = null, term4 = null, term5 = null, term6 = null] = query.terms.map(hashOf);
    const rows = await searchBlocks.query(client, {
      account,
      conversationId: query.conversationId ?? null,
      beforeMs: before.sentAtMs,
      beforeConversationId: before.conversationId,
      fromMs: query.fromMs,
      limit: maxBlocks,
      term1,
      term2,
      term3,
      term4,
      term5,
      term6,
    });
    const last = rows.length < maxBlocks ? undefined : rows.at(-1);
    const horizon = last && { sentAtMs: Number(last.newest_at), conversationId: last.conversation_id };
    const candidates = rows
      .flatMap(({ conversation_id: conversationId, first_seq, times, candidates: bits }) =>
        times.flatMap((time, bit) => {
          if (((bits >>> bit) & 1) === 0) return [];
          return [{ conversationId, seq: Number(first_seq) + bit, sentAtMs: Number(time) }];
        }),
      )
      .filter((each) => each.sentAtMs >= query.fromMs && (horizon === undefined || compareKeys(each, horizon) <= 0))
      .toSorted(compareKeys);
    return { candidates, horizon };
  }

  /** Returns those candidates that are not deleted, in the same order. */
  async readMessages(client: ClientBase, candidates: readonly Candidate[]): Promise<FoundMessage[]> {
    const rows = await messagesBySeq.query(client, {
      conversationIds: candidates.map(({ conversationId }) => conversationId),
      seqs: candidates.map(({ seq }) => seq),
    });
    const keyOf = (conversationId: string, seq: number | string) => `${conversationId} ${seq}`;
    const found = new Map(rows.map((row) => [keyOf(row.conversation_id, row.seq), row]));
    return candidates.flatMap(({ conversationId, seq }) => found.get(keyOf(conversationId, seq)) ?? []);
  }
}

/** Orders by key; negative if the first one comes first. */
export function compareKeys(a: ResultKey, b: ResultKey): number {
  if (a.sentAtMs !== b.sentAtMs) return b.sentAtMs - a.sentAtMs;
  if (a.conversationId === b.conversationId) return 0;
  return a.conversationId > b.conversationId ? -1 : 1;
}
