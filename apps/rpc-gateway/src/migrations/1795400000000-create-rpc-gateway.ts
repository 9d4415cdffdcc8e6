import { chainCheckpointTable } from '@waggle/chain';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The entities document the columns. Account names and permlinks are compared byte by byte, as on the chain, so no
 * index depends on the locale of the database.
 */
export class CreateRpcGateway1795400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(chainCheckpointTable);
    await runner.query(`
      -- A fillfactor of 85 leaves space in each page of the tables whose rows change with almost every block: PostgreSQL then
      -- writes the new version of a row into the same page and need not update the indexes.

      CREATE TABLE index_state (
        single             boolean PRIMARY KEY DEFAULT true CHECK (single),
        index_id           uuid NOT NULL,
        begins             timestamptz NOT NULL,
        first_block        int NOT NULL CHECK (first_block > 0),
        notification_days  int NOT NULL CHECK (notification_days > 0),
        notifications_from timestamptz NOT NULL,
        next_account_id    int NOT NULL,
        next_post_id       bigint NOT NULL
      );

      CREATE TABLE account (
        id                             int PRIMARY KEY,
        name                           text COLLATE "C" NOT NULL,
        reputation                     bigint,
        followers                      int NOT NULL,
        following                      int NOT NULL,
        last_read                      timestamptz NOT NULL,
        blacklist_description          text,
        muted_list_description         text,
        has_posting_profile            boolean NOT NULL,
        posting_blacklist_description  text,
        posting_muted_list_description text
      ) WITH (fillfactor = 85);
      CREATE UNIQUE INDEX account_name ON account (name);

      CREATE TABLE post (
        id           bigint PRIMARY KEY,
        parent_id    bigint,
        author_id    int NOT NULL,
        community_id int,
        depth        smallint NOT NULL,
        is_muted     boolean NOT NULL,
        is_pinned    boolean NOT NULL,
        is_deleted   boolean NOT NULL,
        permlink     text COLLATE "C" NOT NULL
      );
      -- An author may reuse the permlink of a deleted post.
      CREATE UNIQUE INDEX post_link ON post (author_id, permlink) WHERE NOT is_deleted;
      CREATE INDEX post_deleted_link ON post (author_id, permlink) WHERE is_deleted;

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
      CREATE INDEX young_post_created ON young_post (created);

      -- Separate from young_post, which every vote updates, so that a vote does not write the text again.
      CREATE TABLE post_text (
        post_id bigint PRIMARY KEY,
        written timestamptz NOT NULL,
        body    text NOT NULL
      );
      CREATE INDEX post_text_written ON post_text (written);

      CREATE TABLE vote (
        post_id  bigint NOT NULL,
        voter_id int NOT NULL,
        rshares  bigint NOT NULL,
        PRIMARY KEY (post_id, voter_id)
      );

      CREATE TABLE reblog (
        post_id    bigint NOT NULL,
        account_id int NOT NULL,
        PRIMARY KEY (post_id, account_id)
      );

      CREATE TABLE follow (
        follower_id  int NOT NULL,
        following_id int NOT NULL,
        lists        smallint NOT NULL CHECK (lists > 0),
        PRIMARY KEY (follower_id, following_id)
      );
      CREATE INDEX follow_follower ON follow (following_id, follower_id) INCLUDE (lists);
      -- Every notification checks whose mute lists its recipient follows (bit 16 of lists).
      CREATE INDEX follow_muted ON follow (follower_id, following_id) WHERE lists & 16 > 0;
      -- If the recipient follows any, the notification also checks who ignores its source (bit 2).
      CREATE INDEX follow_ignored ON follow (following_id, follower_id) WHERE lists & 2 > 0;
      -- A reset of one list must not read the others, which may be long.
      CREATE INDEX follow_lists ON follow (follower_id, lists);

      CREATE TABLE community (
        id             int PRIMARY KEY,
        type_id        smallint NOT NULL,
        title          text NOT NULL,
        about          text NOT NULL,
        lang           text NOT NULL,
        is_nsfw        boolean NOT NULL,
        description    text NOT NULL,
        flag_text      text NOT NULL,
        settings       text NOT NULL,
        created        timestamptz NOT NULL,
        subscribers    int NOT NULL,
        authors        int NOT NULL,
        pending_posts  int NOT NULL,
        pending_payout bigint NOT NULL
      ) WITH (fillfactor = 85);
      CREATE INDEX community_words ON community USING gin (to_tsvector('english', title || ' ' || about));

      CREATE TABLE community_role (
        community_id int NOT NULL,
        account_id   int NOT NULL,
        role         smallint NOT NULL,
        title        text NOT NULL,
        PRIMARY KEY (community_id, account_id)
      );
      CREATE INDEX community_role_account ON community_role (account_id);

      CREATE TABLE community_author (
        community_id  int NOT NULL,
        author_id     int NOT NULL,
        pending_posts int NOT NULL CHECK (pending_posts > 0),
        PRIMARY KEY (author_id, community_id)
      );

      CREATE TABLE subscription (
        community_id int NOT NULL,
        account_id   int NOT NULL,
        created      timestamptz NOT NULL,
        PRIMARY KEY (community_id, account_id)
      );
      CREATE INDEX subscription_account ON subscription (account_id);
      -- The popular communities are those with recent subscribers: without this index the query reads every subscription.
      CREATE INDEX subscription_created ON subscription (created);

      CREATE TABLE flag (
        post_id    bigint NOT NULL,
        account_id int NOT NULL,
        PRIMARY KEY (post_id, account_id)
      );

      CREATE TABLE notification (
        id           bigint PRIMARY KEY,
        post_id      bigint,
        subject_id   bigint,
        recipient_id int NOT NULL,
        source_id    int,
        community_id int,
        score        smallint NOT NULL,
        payload      text
      );
      CREATE INDEX notification_recipient ON notification (recipient_id, id DESC) INCLUDE (score);
      CREATE INDEX notification_subject ON notification (subject_id, id DESC) WHERE subject_id IS NOT NULL;

      CREATE TABLE mention (
        post_id         bigint NOT NULL,
        account_id      int NOT NULL,
        notification_id bigint NOT NULL,
        PRIMARY KEY (post_id, account_id)
      );
      CREATE INDEX mention_notification ON mention (notification_id);

      CREATE TABLE snapshot_request (
        lock_key     bigint PRIMARY KEY,
        block_number int NOT NULL
      );

      CREATE TABLE index_digest (
        block_number int PRIMARY KEY,
        computed_at  timestamptz NOT NULL,
        document     text NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE index_digest, snapshot_request, mention, notification, flag, subscription, community_author, community_role, community, follow, reblog, vote,
        post_text, young_post, post, account, index_state, chain_checkpoint
    `);
  }
}
