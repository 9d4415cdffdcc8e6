-- Fills a migrated, empty index in the proportions of a social network: for each ten posts and comments an account, a
-- hundred votes and ten follows. :posts is replaced by their number, at least 1,000. The head of the chain is now. As
-- on Hive a twentieth of the posts is not paid yet; titles and bodies do not compress better than real ones.
--
-- Account 1 follows all others. Account 2 follows a thousand and has subscribed to 50 communities. Every 40,000th post
-- has 200 replies, the first of them post 400.

CREATE FUNCTION pg_temp.accounts() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT :posts / 10';
-- A number from 0 to 1, not random, so that each filling is the same.
CREATE FUNCTION pg_temp.spread(i bigint, salt int) RETURNS float8 LANGUAGE sql IMMUTABLE AS
  $$ SELECT (i * 7919 + salt * 104729) % 9973 / 9973.0 $$;
CREATE FUNCTION pg_temp.moment(i bigint) RETURNS timestamptz LANGUAGE sql STABLE AS
  $$ SELECT date_trunc('second', now() - (:posts - i) * (interval '7 days' / (:posts / 20))) $$;
CREATE FUNCTION pg_temp.is_root(i bigint) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT i % 4 = 0 OR i < 8 $$;
-- The community of a post: a few have most posts, and half of the posts have none.
CREATE FUNCTION pg_temp.community(i bigint) RETURNS int LANGUAGE sql IMMUTABLE AS
  $$ SELECT CASE WHEN i % 8 = 0 THEN pg_temp.accounts() + 1 + floor(900 * pg_temp.spread(i, 1) ^ 3)::int END $$;
CREATE FUNCTION pg_temp.tag(i bigint, salt int) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT 'tag-' || floor(5000 * pg_temp.spread(i, salt) ^ 4)::int $$;

INSERT INTO account (id, name, reputation, followers, following, last_read, has_posting_profile)
SELECT i, CASE WHEN i <= pg_temp.accounts() THEN 'bench-' || i ELSE 'hive-' || 100000 + i - pg_temp.accounts() END,
  (i * 7919) % 1000000000000, 10, 10, now(), false
FROM generate_series(1::bigint, pg_temp.accounts() + 900) i;

CREATE TEMP TABLE thread AS
WITH roots AS (
  SELECT i, CASE WHEN i % 4 = 3 THEN i - 1 ELSE i END AS j FROM generate_series(1::bigint, :posts) i WHERE NOT pg_temp.is_root(i)
)
SELECT i, CASE WHEN i % 40000 BETWEEN 401 AND 667 THEN i - i % 40000 + 400
  ELSE 4 * greatest(1, (j - 2 - floor(400 * pg_temp.spread(j, 2))::bigint) / 4) END AS root_id
FROM roots
UNION ALL SELECT i, i FROM generate_series(1::bigint, :posts) i WHERE pg_temp.is_root(i);
CREATE TEMP TABLE reply_count AS SELECT root_id, count(*) - 1 AS replies FROM thread GROUP BY root_id;
ANALYZE thread, reply_count;

CREATE FUNCTION pg_temp.author(i bigint) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT 1 + (CASE WHEN i % 10 = 0 THEN i / 10 * 31 % (pg_temp.accounts() / 100) ELSE i * 7919 % pg_temp.accounts() END)::int
$$;
INSERT INTO post (id, parent_id, author_id, community_id, depth, is_pinned, is_deleted, permlink, root_id, parent_author_id, created, children,
  muted_reasons)
SELECT t.i, p.id, pg_temp.author(t.i), pg_temp.community(t.root_id),
  CASE WHEN p.id IS NULL THEN 0 WHEN p.id = t.root_id THEN 1 ELSE 2 END, t.i % 40000 = 8, false,
  're-' || substr(md5(t.i::text), 1, 20), t.root_id, pg_temp.author(p.id), pg_temp.moment(t.i),
  CASE WHEN t.i = t.root_id THEN c.replies WHEN t.i % 4 = 2 AND t.i < :posts THEN 1 ELSE 0 END, 0
FROM thread t LEFT JOIN reply_count c ON c.root_id = t.i
CROSS JOIN LATERAL (SELECT CASE WHEN t.i = t.root_id THEN NULL WHEN t.i % 4 = 3 THEN t.i - 1 ELSE t.root_id END AS id) p
ORDER BY t.i;

INSERT INTO post_content SELECT i, pg_temp.moment(i), 0,
  CASE WHEN pg_temp.is_root(i) THEN coalesce('hive-' || 100000 + pg_temp.community(i) - pg_temp.accounts(), pg_temp.tag(i, 3)) END,
  CASE WHEN pg_temp.is_root(i) THEN md5(i::text) ELSE '' END,
  '{"app":"bench/1.0","format":"markdown","tags":["' || pg_temp.tag(i, 4) || '"],"image":["' || md5(i::text) || '"]}'
FROM generate_series(1::bigint, :posts) i;
INSERT INTO post_tag SELECT DISTINCT tag, i FROM (
  SELECT pg_temp.tag(i, salt) AS tag, i FROM generate_series(1::bigint, :posts) i, generate_series(4, 7) salt WHERE pg_temp.is_root(i)
  UNION ALL SELECT category, post_id FROM post_content WHERE category IS NOT NULL
) t;
INSERT INTO post_text SELECT i, pg_temp.moment(i), (SELECT string_agg(md5((i * j)::text), ' ') FROM generate_series(1::bigint, 25) j), true
FROM generate_series(1::bigint, :posts) i;
INSERT INTO vote (post_id, voter_id, rshares, updated, percent, changes, is_effective, weight)
SELECT i, v.id, (i * v.id) % 10000000000, pg_temp.moment(i), 10000, 0, true, (i * v.id) % 10000000
FROM generate_series(1::bigint, :posts) i
CROSS JOIN LATERAL (SELECT DISTINCT 1 + ((i * 31 + j * 7919) % pg_temp.accounts())::int AS id FROM generate_series(1, 10) j) v;
INSERT INTO payout (post_id, author_payout, curator_payout, beneficiary_payout, pending_payout, author_rewards, rshares, absolute_rshares,
  promoted, max_accepted_payout, paid_at, total_votes, net_votes, percent_hbd, is_paid, allows_votes, allows_curation_rewards,
  total_vote_weight, beneficiaries)
SELECT i, CASE WHEN is_paid THEN amount / 2 ELSE 0 END, CASE WHEN is_paid THEN amount / 2 ELSE 0 END, 0, CASE WHEN is_paid THEN 0 ELSE amount END,
  amount, amount * 7919, amount * 7919, CASE WHEN i % 1000 = 0 THEN i % 7000 ELSE 0 END, 1000000000,
  CASE WHEN is_paid THEN pg_temp.moment(i) + interval '7 days' END, 10, 10, 10000, is_paid, true, true, 0, NULL
FROM (SELECT i, i <= :posts - :posts / 20 AS is_paid, (10000000 * pg_temp.spread(i, 8) ^ 8)::bigint AS amount FROM generate_series(1::bigint, :posts) i) y;

INSERT INTO blog_entry (post_id, account_id, is_reblog, created)
SELECT id, author_id, false, created FROM post WHERE depth = 0
UNION ALL SELECT id, 1 + (id * 37) % pg_temp.accounts(), true, created + interval '1 hour' FROM post
WHERE id % 20 = 0 AND 1 + (id * 37) % pg_temp.accounts() <> author_id;
INSERT INTO follow SELECT i, 1 + (i * 7 + j * 7919) % pg_temp.accounts(), 1 FROM generate_series(3::bigint, pg_temp.accounts()) i, generate_series(1, 10) j
UNION SELECT 1, i, 1 FROM generate_series(2::bigint, pg_temp.accounts()) i
UNION SELECT 2, i, 1 FROM generate_series(3::bigint, least(1002, pg_temp.accounts())) i
ON CONFLICT DO NOTHING;
INSERT INTO community SELECT pg_temp.accounts() + i, 1, 'Community ' || i, '', 'en', false, '', '', '{}', now(), 100, 10, 0, 0 FROM generate_series(1, 900) i;
INSERT INTO community_role SELECT pg_temp.accounts() + 1 + i % 900, i, 2, 'member' FROM generate_series(1, pg_temp.accounts()) i WHERE i % 10 = 0;
INSERT INTO subscription SELECT pg_temp.accounts() + 1 + (i * 7 + j * 31) % 900, i, now()
  FROM generate_series(1, pg_temp.accounts()) i, generate_series(1, CASE WHEN i = 2 THEN 50 ELSE 3 END) j;
INSERT INTO notification SELECT i << 22, i, i, 1 + (i * 31) % pg_temp.accounts(), 1 + (i * 7919) % pg_temp.accounts(), NULL, 25 + i % 50, NULL
  FROM generate_series(1::bigint, :posts) i;
INSERT INTO mention SELECT i, 1 + (i * 31) % pg_temp.accounts(), i << 22 FROM generate_series(1::bigint, :posts / 20) i;
INSERT INTO index_state (index_id, begins, first_block, notification_days, notifications_from, has_posts, has_votes, has_rankings, bodies_from, next_account_id, next_post_id)
  VALUES (gen_random_uuid(), 'epoch', 1, 90, 'epoch', true, true, true, 'epoch', pg_temp.accounts() + 901, :posts + 1);
