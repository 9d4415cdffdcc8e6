import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the contents, tags, payouts, votes and blogs of posts. An index with posts keeps working, but lacks them for
 * ever (`has_posts`, `has_votes`): columns of its rows that cannot be filled from others are 0 or the epoch.
 */
export class IndexPostContents1796800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Constant defaults add columns without a rewrite of the table. They are dropped below: the indexer writes every column.
      ALTER TABLE index_state
        ADD COLUMN has_posts    boolean NOT NULL DEFAULT false,
        ADD COLUMN has_votes    boolean NOT NULL DEFAULT false,
        -- The indexer fills ranked_post with its next blocks.
        ADD COLUMN has_rankings boolean NOT NULL DEFAULT false,
        ADD COLUMN body_days    int CHECK (body_days > 0),
        ADD COLUMN bodies_from  timestamptz NOT NULL DEFAULT 'epoch';
      UPDATE index_state SET body_days = notification_days, bodies_from = notifications_from - notification_days * interval '1 day';
      UPDATE index_state SET has_posts = true, has_votes = true, body_days = NULL, bodies_from = begins
      WHERE NOT EXISTS (SELECT FROM post);

      -- Digests of the former tables differ from other indexes' digests of the new ones.
      DELETE FROM index_digest;

      ALTER TABLE post
        ADD COLUMN root_id          bigint NOT NULL DEFAULT 0,
        ADD COLUMN parent_author_id int,
        ADD COLUMN created          timestamptz NOT NULL DEFAULT 'epoch',
        ADD COLUMN children         int NOT NULL DEFAULT 0,
        ADD COLUMN muted_reasons    smallint NOT NULL DEFAULT 0;
      -- Space for new values of children.
      ALTER TABLE post SET (fillfactor = 90);
      UPDATE post SET muted_reasons = 1 WHERE is_muted;
      UPDATE post p SET created = y.created FROM young_post y WHERE y.post_id = p.id;
      ALTER TABLE post DROP COLUMN is_muted;
      CREATE INDEX post_created ON post (id) WHERE depth = 0 AND NOT is_deleted;
      CREATE INDEX post_community ON post (community_id, id) WHERE depth = 0 AND NOT is_deleted;
      CREATE INDEX post_pinned ON post (community_id, id) WHERE is_pinned AND depth = 0 AND NOT is_deleted;
      CREATE INDEX post_author ON post (author_id, id) WHERE depth = 0 AND NOT is_deleted;
      CREATE INDEX post_commenter ON post (author_id, id) WHERE depth > 0 AND NOT is_deleted;
      CREATE INDEX post_replied ON post (parent_author_id, id) WHERE depth > 0 AND NOT is_deleted;
      CREATE INDEX post_parent ON post (parent_id, id) WHERE depth > 0 AND NOT is_deleted;
      CREATE INDEX post_root ON post (root_id, id) WHERE depth > 0 AND NOT is_deleted;

      CREATE TABLE post_content (
        post_id       bigint PRIMARY KEY,
        updated       timestamptz NOT NULL,
        revision      int NOT NULL,
        category      text,
        title         text NOT NULL,
        json_metadata text NOT NULL
      );
      CREATE INDEX post_content_category ON post_content (category) WHERE category IS NOT NULL;

      CREATE TABLE post_tag (
        tag     text COLLATE "C" NOT NULL,
        post_id bigint NOT NULL,
        PRIMARY KEY (tag, post_id)
      );
      CREATE INDEX post_tag_post ON post_tag (post_id);

      ALTER TABLE post_text ADD COLUMN is_current boolean NOT NULL DEFAULT true;

      CREATE TABLE payout (
        post_id                 bigint PRIMARY KEY,
        author_payout           bigint NOT NULL,
        curator_payout          bigint NOT NULL,
        beneficiary_payout      bigint NOT NULL,
        pending_payout          bigint NOT NULL,
        author_rewards          bigint NOT NULL,
        rshares                 bigint NOT NULL,
        absolute_rshares        bigint NOT NULL,
        promoted                bigint NOT NULL,
        max_accepted_payout     bigint NOT NULL,
        paid_at                 timestamptz,
        total_votes             int NOT NULL,
        net_votes               int NOT NULL,
        percent_hbd             smallint NOT NULL,
        is_paid                 boolean NOT NULL,
        allows_votes            boolean NOT NULL,
        allows_curation_rewards boolean NOT NULL,
        total_vote_weight       numeric NOT NULL,
        beneficiaries           text
      ) WITH (fillfactor = 85);
      INSERT INTO payout
      SELECT post_id, payout, 0, 0, pending_payout, 0, rshares, absolute_rshares, 0, 1000000000,
        CASE WHEN is_paid THEN created + interval '7 days' END, 0, 0, 10000, is_paid, true, true, 0, NULL
      FROM young_post;

      CREATE TABLE ranked_post (
        post_id      bigint PRIMARY KEY,
        author_id    int NOT NULL,
        category     text,
        payout       bigint NOT NULL,
        promoted     bigint NOT NULL,
        trend        real NOT NULL,
        hot          real NOT NULL,
        created      timestamptz NOT NULL,
        community_id int,
        is_comment   boolean NOT NULL
      ) WITH (fillfactor = 85);
      CREATE INDEX ranked_post_trend ON ranked_post (trend, post_id) WHERE NOT is_comment;
      CREATE INDEX ranked_post_hot ON ranked_post (hot, post_id) WHERE NOT is_comment;
      CREATE INDEX ranked_post_payout ON ranked_post (payout, post_id);
      CREATE INDEX ranked_post_category ON ranked_post (category, payout, post_id);
      CREATE INDEX ranked_post_author ON ranked_post (author_id);
      CREATE INDEX ranked_post_promoted ON ranked_post (promoted, post_id) WHERE promoted > 0;
      CREATE INDEX ranked_post_community_trend ON ranked_post (community_id, trend, post_id) WHERE NOT is_comment;
      CREATE INDEX ranked_post_community_hot ON ranked_post (community_id, hot, post_id) WHERE NOT is_comment;
      CREATE INDEX ranked_post_community_payout ON ranked_post (community_id, is_comment, payout, post_id);
      DROP TABLE young_post;

      ALTER TABLE vote
        ADD COLUMN updated      timestamptz NOT NULL DEFAULT 'epoch',
        ADD COLUMN percent      smallint NOT NULL DEFAULT 0,
        ADD COLUMN changes      smallint NOT NULL DEFAULT 0,
        ADD COLUMN is_effective boolean NOT NULL DEFAULT true,
        ADD COLUMN weight       numeric NOT NULL DEFAULT 0;
      ALTER TABLE vote SET (fillfactor = 95);
      CREATE INDEX vote_voter ON vote (voter_id, post_id);

      ALTER TABLE reblog RENAME TO blog_entry;
      ALTER INDEX reblog_pkey RENAME TO blog_entry_pkey;
      ALTER TABLE blog_entry
        ADD COLUMN is_reblog boolean NOT NULL DEFAULT true,
        ADD COLUMN created   timestamptz NOT NULL DEFAULT 'epoch';
      CREATE INDEX blog_entry_account ON blog_entry (account_id, created, post_id);
      CREATE INDEX blog_entry_created ON blog_entry (created, post_id);

      ALTER TABLE index_state
        ALTER COLUMN has_posts DROP DEFAULT, ALTER COLUMN has_votes DROP DEFAULT, ALTER COLUMN has_rankings DROP DEFAULT,
        ALTER COLUMN bodies_from DROP DEFAULT;
      ALTER TABLE post
        ALTER COLUMN root_id DROP DEFAULT, ALTER COLUMN created DROP DEFAULT, ALTER COLUMN children DROP DEFAULT,
        ALTER COLUMN muted_reasons DROP DEFAULT;
      ALTER TABLE post_text ALTER COLUMN is_current DROP DEFAULT;
      ALTER TABLE vote
        ALTER COLUMN updated DROP DEFAULT, ALTER COLUMN percent DROP DEFAULT, ALTER COLUMN changes DROP DEFAULT,
        ALTER COLUMN is_effective DROP DEFAULT, ALTER COLUMN weight DROP DEFAULT;
      ALTER TABLE blog_entry ALTER COLUMN is_reblog DROP DEFAULT, ALTER COLUMN created DROP DEFAULT;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE index_state
        DROP COLUMN has_posts, DROP COLUMN has_votes, DROP COLUMN has_rankings, DROP COLUMN body_days, DROP COLUMN bodies_from;

      CREATE TABLE young_post (
        post_id          bigint PRIMARY KEY,
        author_id        int NOT NULL,
        community_id     int,
        created          timestamptz NOT NULL,
        is_paid          boolean NOT NULL,
        payout           bigint NOT NULL,
        pending_payout   bigint NOT NULL,
        rshares          bigint NOT NULL,
        absolute_rshares bigint NOT NULL
      ) WITH (fillfactor = 85);
      INSERT INTO young_post
      SELECT p.id, p.author_id, p.community_id, p.created, y.is_paid, y.author_payout + y.curator_payout, y.pending_payout,
        y.rshares, y.absolute_rshares
      FROM payout y JOIN post p ON p.id = y.post_id
      -- Votes on older posts create no notifications.
      WHERE NOT y.is_paid OR p.created >= (SELECT max(block_time) FROM chain_checkpoint) - interval '97 days';
      CREATE INDEX young_post_created ON young_post (created);
      DELETE FROM vote v USING payout y WHERE y.post_id = v.post_id AND y.is_paid;
      DROP TABLE payout, ranked_post, post_content, post_tag;

      ALTER TABLE post ADD COLUMN is_muted boolean NOT NULL DEFAULT false;
      UPDATE post SET is_muted = true WHERE muted_reasons > 0;
      ALTER TABLE post ALTER COLUMN is_muted DROP DEFAULT;
      ALTER TABLE post RESET (fillfactor);
      ALTER TABLE post
        DROP COLUMN root_id, DROP COLUMN parent_author_id, DROP COLUMN created, DROP COLUMN children,
        DROP COLUMN muted_reasons;
      DROP INDEX post_created, post_community, post_pinned, post_author, post_commenter, post_parent;

      ALTER TABLE post_text DROP COLUMN is_current;
      ALTER TABLE vote
        DROP COLUMN updated, DROP COLUMN percent, DROP COLUMN changes, DROP COLUMN is_effective, DROP COLUMN weight;
      ALTER TABLE vote RESET (fillfactor);
      DROP INDEX vote_voter;

      DROP INDEX blog_entry_account, blog_entry_created;
      DELETE FROM blog_entry WHERE NOT is_reblog;
      ALTER TABLE blog_entry DROP COLUMN is_reblog, DROP COLUMN created;
      ALTER TABLE blog_entry RENAME TO reblog;
      ALTER INDEX blog_entry_pkey RENAME TO reblog_pkey;
    `);
  }
}
