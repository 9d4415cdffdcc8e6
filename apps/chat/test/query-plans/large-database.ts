import { type TestDatabase } from '@waggle/testing';
import { hashOf } from '../../src/search/search-block';
import { Client } from 'pg';

/** Numbers of rows. The planner must treat the tables as large; more rows make the test slower. */
const amounts = { accounts: 8_000, dms: 8_000, groups: 1_500, channels: 500, oldMessages: 25_000, deleted: 2_000 };

/** Conversations of the filled database that the test refers to, from the point of view of `alice`. */
export interface KnownConversations {
  /** Has `amounts.oldMessages` messages and thousands of recent events. */
  large: string;
  /** Its last `amounts.deleted` messages were deleted. */
  wiped: string;
  /** A dm, with an account that is not on the chain. */
  dm: string;
  /** A group that she created. */
  group: string;
  /** Channels that she is not a member of. */
  strange: string[];
  /** 200 conversations that she is a member of. */
  many: string[];
}

const functions = `
  CREATE FUNCTION pg_temp.id(n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT '01K' || lpad(upper(to_hex(n)), 23, '0') $$;
  CREATE FUNCTION pg_temp.account(n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT 'user-' || lpad((n % ${amounts.accounts})::text, 5, '0') $$;`;

const firstGroup = amounts.dms + 1;
const firstChannel = amounts.dms + amounts.groups + 1;
const conversations = amounts.dms + amounts.groups + amounts.channels;
/** Events have the sequence numbers up to this one, without a gap; messages have later ones. */
const before = 50_000;
const [large, wiped] = [firstChannel, firstChannel + 8];

/** Low fill factors: as in a table of a million rows, there are too many pages to read all of them for a few rows. */
const lowFillFactors = [
  ...['conversation', 'member', 'setting', 'friend_request', 'block', 'session', 'friendship', 'erasure'].map(
    (table) => [table, 10],
  ),
  ...Array.from({ length: 16 }, (_, part) => [`message_${part}`, 20]),
  ...Array.from({ length: 16 }, (_, part) => [`search_block_${part}`, 30]),
]
  .map(([table, fillfactor]) => `ALTER TABLE ${table} SET (fillfactor = ${fillfactor});`)
  .join('');

/** Alice is in every 100th dm, every twelfth group and every eighth channel, and left as many groups and channels. */
const members = `
  CREATE TEMP TABLE talk AS
  SELECT n, pg_temp.id(n) AS id, CASE WHEN n < ${firstGroup} THEN 'dm' WHEN n < ${firstChannel} THEN 'group' ELSE 'channel' END AS type,
         CASE n WHEN ${large} THEN ${amounts.oldMessages} WHEN ${wiped} THEN ${amounts.deleted} + 200 ELSE CASE WHEN n % 100 = 0 THEN 150 ELSE 3 END END AS messages,
         now() - (n * 7919 % 43200) * interval '1 minute' AS last_at
  FROM generate_series(1::bigint, ${conversations}) n;
  CREATE TEMP TABLE place AS
  SELECT n, 0 AS nth, CASE WHEN n % 100 = 0 THEN 'alice' ELSE pg_temp.account(n) END AS account, 'member' AS status FROM talk WHERE type = 'dm'
  UNION ALL SELECT n, 1, pg_temp.account(n + 1 + n / ${amounts.accounts}), 'member' FROM talk WHERE type = 'dm'
  UNION ALL SELECT n, k, CASE WHEN k = 0 AND n % 12 = 0 THEN 'alice' ELSE pg_temp.account(n * 31 + k * 7) END, 'member' FROM talk, generate_series(0, 4) k WHERE type = 'group'
  UNION ALL SELECT n, k, pg_temp.account(n * 37 + k * 11), 'member' FROM talk, generate_series(0, 19) k WHERE type = 'channel'
  UNION ALL SELECT n, 20, 'alice', CASE WHEN type = 'channel' AND n % 8 = 5 THEN 'member' ELSE 'left' END FROM talk
  WHERE (type = 'channel' AND n % 8 IN (5, 6)) OR (type = 'group' AND n % 12 = 1);
  INSERT INTO conversation (id, type, name, creator, dm_first, dm_second, last_seq, changed_seq, last_message_at, created_at, updated_at, oldest_since)
  SELECT t.id, t.type, CASE WHEN t.type <> 'dm' THEN 'Name ' || t.n END, a.account,
         CASE WHEN t.type = 'dm' THEN least(a.account COLLATE "C", b.account COLLATE "C") END,
         CASE WHEN t.type = 'dm' THEN greatest(a.account COLLATE "C", b.account COLLATE "C") END,
         ${before} + t.messages, 1, t.last_at, now() - interval '2 years', t.last_at,
         -- In some was never looked for messages that are too old.
         CASE WHEN t.n % 200 = 3 THEN '-infinity' ELSE t.last_at - t.messages * interval '10 minutes' END
  FROM talk t JOIN place a ON a.n = t.n AND a.nth = 0 JOIN place b ON b.n = t.n AND b.nth = 1;
  INSERT INTO member (conversation_id, account, status, acknowledged_seq, acknowledged_at, joined_seq, left_seq, left_at)
  SELECT t.id, p.account, p.status,
         -- Alice is behind everywhere, in some conversations from the start.
         ${before} + CASE WHEN p.account <> 'alice' THEN t.messages WHEN t.n % 200 = 0 OR t.n = ${large} THEN 0 ELSE greatest(t.messages - 20, 0) END,
         now() - interval '2 days', 0, CASE p.status WHEN 'left' THEN 1 END, CASE p.status WHEN 'left' THEN now() - interval '1 year' END
  FROM place p JOIN talk t USING (n);`;

const messages = `
  INSERT INTO message (conversation_id, seq, id, sender, recipient, content, sent_at, deleted_at, client_id)
  SELECT t.id, ${before} + s, pg_temp.id(s * 100000::bigint + t.n), CASE WHEN s % 2 = 0 THEN a.account ELSE b.account END,
         CASE WHEN t.type = 'dm' THEN CASE WHEN s % 2 = 0 THEN b.account ELSE a.account END END,
         'Message number ' || s || ' of this conversation says a little more than nothing.',
         t.last_at - (t.messages - s) * interval '10 minutes',
         CASE WHEN (t.n = ${wiped} AND s > 200) OR s % 50 = 7 THEN now() END, CASE WHEN s % 4 = 0 THEN gen_random_uuid()::text END
  FROM talk t JOIN place a ON a.n = t.n AND a.nth = 0 JOIN place b ON b.n = t.n AND b.nth = 1, generate_series(1, t.messages) s
  -- As they come in life, so that those of one conversation lie far apart.
  ORDER BY s, t.n;`;

const others = `
  INSERT INTO session (id, account, proof, signing_key, created_at, renewed_at, expires_at, revoked_at)
  SELECT pg_temp.id(n), CASE WHEN n % 400 = 0 THEN 'alice' ELSE pg_temp.account(n) END, sha256(n::text::bytea), '\\x02'::bytea || sha256(n::text::bytea), now() - n * interval '1 minute', now() - n * interval '1 minute',
         -- Few are to be removed: an index scan visits removed rows again as long as an older transaction is open.
         now() + interval '90 days' - n * interval '16 minutes',
         CASE WHEN n % 400 = 1 THEN now() - interval '2 days' WHEN n % 3 = 0 THEN now() - n * interval '10 seconds' END
  FROM generate_series(1::bigint, 8000) n;
  INSERT INTO friendship (first, second)
  SELECT least(a, b), greatest(a, b)
  FROM (SELECT pg_temp.account(n) COLLATE "C" AS a, (CASE WHEN n % 50 = 0 THEN 'alice' ELSE pg_temp.account(n + 1 + n / ${amounts.accounts}) END) COLLATE "C" AS b
        FROM generate_series(1::bigint, 16000) n) pair ON CONFLICT DO NOTHING;
  INSERT INTO friend_request (id, requester, addressee)
  SELECT pg_temp.id(n), pg_temp.account(n), CASE WHEN n % 10 = 0 THEN 'bob' ELSE pg_temp.account(n + 5) END FROM generate_series(1::bigint, 8000) n;
  INSERT INTO block (blocker, blocked)
  SELECT pg_temp.account(n), CASE WHEN n % 100 = 0 THEN 'alice' ELSE pg_temp.account(n + 9) END FROM generate_series(1::bigint, 8000) n;
  INSERT INTO setting (account, dm_from_friends) SELECT pg_temp.account(n), n % 5 = 0 FROM generate_series(1::bigint, ${amounts.accounts}) n;
  INSERT INTO erasure (account, signed_at, finished_at, next_at) SELECT pg_temp.account(n), now(), now(), now() FROM generate_series(1::bigint, ${amounts.accounts}) n;
  INSERT INTO account_stream (account, last_seq) SELECT pg_temp.account(n), 5 FROM generate_series(1::bigint, ${amounts.accounts}) n;
  -- The events of the last 25 hours: every second one in the large channel, the others everywhere.
  INSERT INTO event (stream, seq, at, events)
  SELECT stream, ${before} - row_number() OVER (PARTITION BY stream ORDER BY n DESC), now() - interval '26 hours' + n * interval '6 seconds',
         '[{"type": "member-added", "payload": {"conversation_id": "01K00000000000000000000000", "username": "somebody"}, "to": {}}]'
  FROM (SELECT n, CASE n % 2 WHEN 0 THEN pg_temp.id(${large}) ELSE pg_temp.id(1 + n % ${conversations}) END AS stream
        FROM generate_series(1::bigint, 15000) n) entry;
  -- Those and older ones are shown in the history.
  INSERT INTO conversation_change (conversation_id, seq, at, type, by, username)
  SELECT stream, row_number() OVER (PARTITION BY stream ORDER BY n), now() - interval '1 year' + n * interval '15 minutes',
         'member-added', 'somebody', 'somebody'
  FROM (SELECT n, CASE n % 2 WHEN 0 THEN pg_temp.id(${large}) ELSE pg_temp.id(${firstGroup} + n % ${amounts.groups}) END AS stream
        FROM generate_series(1::bigint, 35000) n) entry;
  INSERT INTO message_revision (conversation_id, seq, revision, content, at)
  SELECT pg_temp.id(1 + n % ${conversations}), n, 0, 'a former text', now() - interval '1 year' + n * interval '15 minutes'
  FROM generate_series(1::bigint, 35000) n;
  INSERT INTO reaction (conversation_id, seq, emoji, account, at)
  SELECT pg_temp.id(1 + n % ${conversations}), n, chr(128000 + (n % 20)::int), 'somebody', now() - interval '1 year' + n * interval '15 minutes'
  FROM generate_series(1::bigint, 35000) n;
  INSERT INTO pin (conversation_id, seq, account, at)
  SELECT pg_temp.id(1 + n % ${conversations}), n, 'somebody', now() - interval '1 year' + n * interval '15 minutes'
  FROM generate_series(1::bigint, 35000) n;
  INSERT INTO draft (account, conversation_id, text, updated_at)
  SELECT account, conversation_id, 'a text that is not finished', now() - interval '1 year' + (row_number() OVER ()) * interval '15 minutes'
  FROM (SELECT account, conversation_id, row_number() OVER (PARTITION BY account) AS nth FROM member) place WHERE nth <= 150;
  INSERT INTO mention (account, conversation_id, seq, message_seq, sender, at)
  SELECT CASE WHEN n % 10 = 0 THEN '*' ELSE 'user-' || n % 1000 END, pg_temp.id(1 + n % ${conversations}), n, n, 'somebody',
         now() - interval '1 year' + n * interval '15 minutes'
  FROM generate_series(1::bigint, 35000) n;
  -- Every 16th block has the first term that the search looks for.
  INSERT INTO search_block (conversation_id, first_seq, last_seq, times, terms, messages)
  SELECT conversation_id, first_seq, last_seq,
         ARRAY(SELECT (extract(epoch FROM sent_at) * 1000)::bigint + k * 1000 FROM generate_series(1, 32) k),
         ARRAY(SELECT ${hashOf('conversation')} - CASE WHEN first_seq % 512 = 0 THEN 0 ELSE 7 END + k * 1000 FROM generate_series(-100, 100) k),
         array_fill(-1, ARRAY[201])
  FROM (SELECT conversation_id, seq - seq % 32 AS first_seq, max(seq) AS last_seq, min(sent_at) AS sent_at
        FROM message WHERE deleted_at IS NULL GROUP BY 1, 2) block;
  UPDATE search_progress SET indexed_until = now();
  INSERT INTO commit_log (at, streams, seqs)
  SELECT now() - n * interval '80 milliseconds', ARRAY[pg_temp.id(n)], ARRAY[1] FROM generate_series(10000::bigint, 100, -1) n;`;

const disableAutovacuum = `
  DO $$
  DECLARE each regclass;
  BEGIN
    FOR each IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
      EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', each);
    END LOOP;
  END $$`;

/** Fills a migrated database like a small deployment after years: many conversations, some of them large. */
export async function fillDatabase({ url }: TestDatabase): Promise<KnownConversations> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(functions + lowFillFactors + members + messages + others);
    // Otherwise plans would depend on how long the test takes.
    await client.query(disableAutovacuum);
    // Also updates the visibility map, which index-only scans need, as autovacuum does in time.
    await client.query('VACUUM (ANALYZE)');
    const { rows } = await client.query<{ known: KnownConversations }>(`
      SELECT json_build_object('large', pg_temp.id(${large}), 'wiped', pg_temp.id(${wiped}), 'dm', pg_temp.id(100),
        'group', pg_temp.id(${Math.ceil(firstGroup / 12) * 12}),
        'strange', (SELECT json_agg(id) FROM talk WHERE n >= ${firstChannel} AND n % 4 = 3),
        'many', (SELECT json_agg(id) FROM (SELECT id FROM talk JOIN place USING (n) WHERE account = 'alice' AND status = 'member' LIMIT 200) t)
      ) AS known`);
    if (rows[0] === undefined) throw new Error('a SELECT without a row');
    return rows[0].known;
  } finally {
    await client.end();
  }
}
