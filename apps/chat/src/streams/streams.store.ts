import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { upTo } from '../up-to';
import { type ChangeEntry, type ChatEvent, type Entry } from './entry';

/** A change about to be stored: what is told of it in the stream of a conversation, or of accounts. */
export type NewChange =
  | { conversationId: string; told: readonly ChatEvent[]; joins?: readonly string[]; leaves?: readonly string[] }
  | { account: string; told: readonly ChatEvent[] };

/** That an account hears a stream, whose last place was this. */
export interface Hearing {
  account: string;
  stream: string;
  lastSeq: number;
  /** The place after which the account hears it. */
  joinedSeq: number;
}

/** What an account is to a stream, whose last place was this. */
export interface Standing extends Hearing {
  hears: boolean;
  /** The place of the entry that took it out last; 0 where none has, or it has become a member again. */
  leftSeq: number;
}

/** What commits of the last moments have added, at this instance or another. */
export interface Commits {
  /** The last place of each stream that has grown. */
  places: { stream: string; seq: number }[];
  /** Who hears which stream since then; `again`: or no longer, for no entry says which. */
  looks: { account: string; stream: string; again: boolean }[];
}

/** An entry as the database gives it. */
export interface EntryRow {
  stream: string;
  seq: string;
  /** Null in the row of a message. */
  told: readonly ChatEvent[] | null;
  joins: string[] | null;
  leaves: string[] | null;
  id: string | null;
  sender: string | null;
  recipient: string | null;
  content: string | null;
  at: Date;
  deleted: boolean | null;
}

/** Streams in the database: their entries, who hears them, and what was committed lately. */
@Injectable()
export class StreamsStore {
  /** Entries of one stream in one answer at most. */
  readonly entriesMost: number = 500;

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** The streams that the accounts hear: their own, their conversations, and the channels that they follow. */
  async findHearings(accounts: readonly string[]): Promise<Hearing[]> {
    const { rows } = await this.pool.query<HearingRow>({
      name: 'hearings-of-accounts',
      text: `
        SELECT m.account, c.id AS stream, c.last_seq, m.joined_seq
        FROM member m JOIN conversation c ON c.id = m.conversation_id
        WHERE m.account = ANY($1) AND ${hears}
        UNION ALL
        SELECT a.account, a.account, coalesce(s.last_seq, 0), 0
        FROM unnest($1::text[]) AS a (account) LEFT JOIN account_stream s ON s.account = a.account`,
      values: [accounts],
    });
    return rows.map(toHearing);
  }

  /** What the accounts are to conversations, and where these stand. */
  async findHearingsOf(pairs: readonly { account: string; stream: string }[]): Promise<Standing[]> {
    const { rows } = await this.pool.query<HearingRow & { hears: boolean | null; left_seq: string }>({
      name: 'hearings-of-pairs',
      text: `
        SELECT wanted.account, wanted.stream, coalesce(c.last_seq, 0) AS last_seq, coalesce(m.joined_seq, 0) AS joined_seq,
               ${hears} AS hears, coalesce(m.left_seq, 0) AS left_seq
        FROM unnest($1::text[], $2::text[]) AS wanted (account, stream)
        LEFT JOIN conversation c ON c.id = wanted.stream
        LEFT JOIN member m ON m.conversation_id = wanted.stream AND m.account = wanted.account`,
      values: [pairs.map(({ account }) => account), pairs.map(({ stream }) => stream)],
    });
    return rows.map((row) => ({ ...toHearing(row), hears: row.hears === true, leftSeq: Number(row.left_seq) }));
  }

  /** The next entries of each stream after a place, in order. */
  async findEntries(streams: readonly { stream: string; after: number }[]): Promise<Entry[]> {
    const { rows } = await this.pool.query<EntryRow>({
      name: 'entries-of-streams',
      text: `
        SELECT wanted.stream, entry.*
        FROM unnest($1::text[], $2::bigint[]) AS wanted (stream, after)
        CROSS JOIN LATERAL (
          (SELECT seq, told, joins, leaves, NULL AS id, NULL AS sender, NULL AS recipient, NULL AS content, at, NULL::boolean AS deleted
           FROM event WHERE stream = wanted.stream AND seq > wanted.after ORDER BY seq LIMIT ${upTo(this.entriesMost)})
          UNION ALL
          (SELECT seq, NULL, NULL, NULL, id, sender, recipient, content, sent_at, deleted_at IS NOT NULL
           FROM message WHERE conversation_id = wanted.stream AND seq > wanted.after ORDER BY seq LIMIT ${upTo(this.entriesMost)})
          -- Of both together too: one that is left out before the last of an answer would be taken for one that is gone.
          ORDER BY seq LIMIT ${upTo(this.entriesMost)}
        ) entry
        ORDER BY wanted.stream, entry.seq`,
      values: [streams.map(({ stream }) => stream), streams.map(({ after }) => after)],
    });
    return rows.map(toEntry);
  }

  /**
   * The instant up to which a reading that begins now is complete: whatever is committed from now on is later. That is the
   * start of the oldest transaction of ours that still runs. One that began a moment ago may not be seen yet.
   */
  async findCompleteUntil(): Promise<Date> {
    const { rows } = await this.pool.query<{ complete_until: Date }>({
      name: 'commits-complete-until',
      text: `
        SELECT least(min(xact_start), statement_timestamp()) - interval '${unseenMs} ms' AS complete_until
        FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = current_setting('application_name')
          AND pid <> pg_backend_pid()`,
    });
    const completeUntil = rows[0]?.complete_until;
    if (completeUntil === undefined) throw new Error('an aggregate without a row');
    return completeUntil;
  }

  /** What was committed since an instant that is no longer ago than `commitsKeptMs`. */
  async findCommits(since: Date): Promise<Commits> {
    const { rows } = await this.pool.query<CommitRow>({
      name: 'commits-since',
      // Summed up there: each stream once, however many commits have added to it.
      text: `
        WITH recent AS MATERIALIZED (SELECT streams, seqs, look_accounts, look_streams FROM commit_log WHERE at >= $1)
        SELECT place.stream, max(place.seq) AS last_seq, NULL AS account, NULL::boolean AS again
        FROM recent CROSS JOIN LATERAL unnest(streams, seqs) AS place (stream, seq) GROUP BY place.stream
        UNION ALL
        SELECT look.stream, NULL, look.account, cardinality(streams) = 0
        FROM recent CROSS JOIN LATERAL unnest(look_accounts, look_streams) AS look (account, stream)`,
      values: [since],
    });
    return toCommits(rows);
  }
}

/** For so long what was committed is noted beside what it was. */
export const commitsKeptMs = 10 * 60_000;

/** After so long a transaction that has begun is seen by others. */
const unseenMs = 10;

/** Whether the account whose row of `member` is `m` hears the conversation. */
export const hears = `(m.standing = 'member' OR (m.standing = 'reader' AND m.followed_at IS NOT NULL))`;

/**
 * Gives each change its place and stores it, within the transaction that makes it.
 * @param changes at most one of each stream
 */
export async function storeChanges(client: ClientBase, changes: readonly NewChange[]): Promise<ChangeEntry[]> {
  // Conversations before accounts, and both in one order, so that two transactions never wait for one another.
  const places = new Map([
    ...(await placesInConversations(client, changes)),
    ...(await placesOfAccounts(client, changes)),
  ]);
  const entries = changes.map((change) => toChangeEntry(change, places.get(streamOf(change))));
  await storeEntries(client, entries);
  return entries;
}

/** Takes the next place in a conversation for a change that is stored later in the same transaction. */
export async function takePlace(client: ClientBase, conversationId: string): Promise<number> {
  const [place] = await placesInConversations(client, [{ conversationId, told: [] }]);
  if (place === undefined) throw new Error('a conversation that is there and is not');
  return place[1];
}

/** Stores changes whose places are known. */
export async function storeEntries(client: ClientBase, entries: readonly ChangeEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const looks = entries.flatMap(({ stream, joins }) => joins.map((account) => ({ account, stream })));
  await client.query({
    name: 'store-events',
    // Lists in lists must be of one length in SQL, so those of accounts go as JSON.
    text: `
      WITH logged AS (
        INSERT INTO commit_log (at, streams, seqs, look_accounts, look_streams)
        VALUES (clock_timestamp(), $1, $2, $6, $7)
      )
      INSERT INTO event (stream, seq, at, told, joins, leaves)
      SELECT stream, seq, clock_timestamp(), told,
             ARRAY(SELECT jsonb_array_elements_text(joins)), ARRAY(SELECT jsonb_array_elements_text(leaves))
      FROM unnest($1::text[], $2::bigint[], $3::jsonb[], $4::jsonb[], $5::jsonb[]) AS e (stream, seq, told, joins, leaves)`,
    values: [
      entries.map(({ stream }) => stream),
      entries.map(({ seq }) => seq),
      entries.map(({ told }) => JSON.stringify(told)),
      entries.map(({ joins }) => JSON.stringify(joins)),
      entries.map(({ leaves }) => JSON.stringify(leaves)),
      looks.map(({ account }) => account),
      looks.map(({ stream }) => stream),
    ],
  });
}

function streamOf(change: NewChange): string {
  return 'account' in change ? change.account : change.conversationId;
}

function toChangeEntry(change: NewChange, seq: number | undefined): ChangeEntry {
  if (seq === undefined) throw new Error('a change without a place');
  const { joins = [], leaves = [] } = 'account' in change ? {} : change;
  return { stream: streamOf(change), seq, told: change.told, joins, leaves };
}

type PlaceRow = { stream: string; last_seq: string };

async function placesInConversations(client: ClientBase, changes: readonly NewChange[]): Promise<[string, number][]> {
  const ids = changes.flatMap((change) => ('account' in change ? [] : [change.conversationId])).toSorted();
  if (ids.length === 0) return [];
  const { rows } = await client.query<PlaceRow>({
    name: 'places-in-conversations',
    // A conversation looks younger for what all hear of it; a dm does not for what one of the two does to it.
    text: `
      WITH locked AS MATERIALIZED (SELECT id FROM conversation WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE)
      UPDATE conversation c
      SET last_seq = last_seq + 1, changed_seq = last_seq + 1,
          updated_at = CASE WHEN c.type <> 'dm' AND c.id = ANY($2) THEN greatest(updated_at, clock_timestamp()) ELSE updated_at END
      FROM locked WHERE c.id = locked.id
      RETURNING c.id AS stream, c.last_seq`,
    values: [ids, changes.filter(isToldToAll).map(streamOf)],
  });
  return rows.map(toPlace);
}

function isToldToAll({ told }: NewChange): boolean {
  return told.some(({ to }) => !('length' in to));
}

async function placesOfAccounts(client: ClientBase, changes: readonly NewChange[]): Promise<[string, number][]> {
  const accounts = changes.flatMap((change) => ('account' in change ? [change.account] : [])).toSorted();
  if (accounts.length === 0) return [];
  const { rows } = await client.query<PlaceRow>({
    name: 'places-of-accounts',
    text: `INSERT INTO account_stream AS s (account, last_seq) SELECT account, 1 FROM unnest($1::text[]) AS a (account)
           ON CONFLICT (account) DO UPDATE SET last_seq = s.last_seq + 1 RETURNING account AS stream, last_seq`,
    values: [accounts],
  });
  return rows.map(toPlace);
}

function toPlace({ stream, last_seq }: PlaceRow): [string, number] {
  return [stream, Number(last_seq)];
}

interface HearingRow {
  account: string;
  stream: string;
  last_seq: string;
  joined_seq: string;
}

function toHearing({ account, stream, last_seq, joined_seq }: HearingRow): Hearing {
  return { account, stream, lastSeq: Number(last_seq), joinedSeq: Number(joined_seq) };
}

/** The last place of a stream, or that an account may hear it. */
type CommitRow = { stream: string } & (
  { last_seq: string; account: null; again: null } | { last_seq: null; account: string; again: boolean }
);

function toCommits(rows: readonly CommitRow[]): Commits {
  const commits: Commits = { places: [], looks: [] };
  for (const { stream, last_seq, account, again } of rows) {
    if (account === null) commits.places.push({ stream, seq: Number(last_seq) });
    else commits.looks.push({ account, stream, again });
  }
  return commits;
}

export function toEntry(row: EntryRow): Entry {
  const { stream, id, sender, recipient, content, at } = row;
  const seq = Number(row.seq);
  if (row.told !== null) return { stream, seq, told: row.told, joins: row.joins ?? [], leaves: row.leaves ?? [] };
  // A message that was deleted meanwhile keeps its place, and nothing is told of it.
  if (row.deleted === true || id === null || sender === null || content === null) {
    return { stream, seq, told: [], joins: [], leaves: [] };
  }
  return { stream, seq, message: { id, sender, recipient, content, sentAt: at.toISOString() } };
}
