import { chainCheckpointTable } from '@waggle/chain';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** See the entities for what the columns mean. Names are compared byte by byte, as on the chain: no index needs a locale. */
export class CreateIndex1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(chainCheckpointTable);
    await runner.query(`
      CREATE TABLE index_state (
        single boolean PRIMARY KEY DEFAULT true CHECK (single),
        begins timestamptz NOT NULL,
        has_all_votes boolean NOT NULL,
        next_account_id int NOT NULL,
        next_post_id bigint NOT NULL
      )`);

    // Of tables that are updated block after block, pages keep room for the new version of a row beside the old one.
    await runner.query(`
      CREATE TABLE account (
        id int PRIMARY KEY,
        name text COLLATE "C" NOT NULL,
        reputation bigint,
        followers int NOT NULL,
        following int NOT NULL,
        last_read timestamptz NOT NULL,
        blacklist_description text,
        muted_list_description text,
        has_posting_profile boolean NOT NULL
      ) WITH (fillfactor = 85)`);
    await runner.query('CREATE UNIQUE INDEX account_name ON account (name)');

    await runner.query(`
      CREATE TABLE post (
        id bigint PRIMARY KEY,
        parent_id bigint,
        author_id int NOT NULL,
        community_id int,
        depth smallint NOT NULL,
        is_muted boolean NOT NULL,
        is_pinned boolean NOT NULL,
        is_deleted boolean NOT NULL,
        permlink text COLLATE "C" NOT NULL
      )`);
    // Who deletes a post may write another under its link.
    await runner.query('CREATE UNIQUE INDEX post_link ON post (author_id, permlink) WHERE NOT is_deleted');

    await runner.query(`
      CREATE TABLE young_post (
        post_id bigint PRIMARY KEY,
        author_id int NOT NULL,
        community_id int,
        created timestamptz NOT NULL,
        is_paid boolean NOT NULL,
        payout bigint NOT NULL,
        pending_payout bigint NOT NULL,
        rshares bigint NOT NULL,
        absolute_rshares bigint NOT NULL
      ) WITH (fillfactor = 85)`);
    await runner.query('CREATE INDEX young_post_created ON young_post (created)');
    // Beside the row that every vote changes, so that no vote writes a text anew.
    await runner.query(`
      CREATE TABLE post_text (
        post_id bigint PRIMARY KEY,
        written timestamptz NOT NULL,
        body text NOT NULL
      )`);
    await runner.query('CREATE INDEX post_text_written ON post_text (written)');
    await runner.query(`
      CREATE TABLE vote (
        post_id bigint NOT NULL,
        voter_id int NOT NULL,
        rshares bigint NOT NULL,
        PRIMARY KEY (post_id, voter_id)
      )`);

    await runner.query(`
      CREATE TABLE follow (
        follower_id int NOT NULL,
        following_id int NOT NULL,
        lists smallint NOT NULL CHECK (lists > 0),
        PRIMARY KEY (follower_id, following_id)
      )`);
    await runner.query('CREATE INDEX follow_follower ON follow (following_id, follower_id) INCLUDE (lists)');
    // Whose mute lists an account follows is asked for each notification that it might get.
    await runner.query('CREATE INDEX follow_muted ON follow (follower_id, following_id) WHERE lists & 16 > 0');
    await runner.query(
      'CREATE TABLE reblog (post_id bigint NOT NULL, account_id int NOT NULL, PRIMARY KEY (post_id, account_id))',
    );

    await runner.query(`
      CREATE TABLE community (
        id int PRIMARY KEY,
        type_id smallint NOT NULL,
        title text NOT NULL,
        about text NOT NULL,
        lang text NOT NULL,
        is_nsfw boolean NOT NULL,
        description text NOT NULL,
        flag_text text NOT NULL,
        settings text NOT NULL,
        created timestamptz NOT NULL,
        subscribers int NOT NULL,
        authors int NOT NULL,
        pending_posts int NOT NULL,
        pending_payout bigint NOT NULL
      ) WITH (fillfactor = 85)`);
    await runner.query(
      "CREATE INDEX community_words ON community USING gin (to_tsvector('english', title || ' ' || about))",
    );
    await runner.query(`
      CREATE TABLE community_role (
        community_id int NOT NULL,
        account_id int NOT NULL,
        role smallint NOT NULL,
        title text NOT NULL,
        PRIMARY KEY (community_id, account_id)
      )`);
    await runner.query('CREATE INDEX community_role_account ON community_role (account_id)');
    await runner.query(`
      CREATE TABLE community_author (
        community_id int NOT NULL,
        author_id int NOT NULL,
        pending_posts int NOT NULL CHECK (pending_posts > 0),
        PRIMARY KEY (author_id, community_id)
      )`);
    await runner.query(`
      CREATE TABLE subscription (
        community_id int NOT NULL,
        account_id int NOT NULL,
        created timestamptz NOT NULL,
        PRIMARY KEY (community_id, account_id)
      )`);
    await runner.query('CREATE INDEX subscription_account ON subscription (account_id)');
    await runner.query(
      'CREATE TABLE flag (post_id bigint NOT NULL, account_id int NOT NULL, PRIMARY KEY (post_id, account_id))',
    );

    await runner.query(`
      CREATE TABLE notification (
        id bigint PRIMARY KEY,
        post_id bigint,
        subject_id bigint,
        recipient_id int NOT NULL,
        source_id int,
        community_id int,
        score smallint NOT NULL,
        payload text
      )`);
    await runner.query('CREATE INDEX notification_recipient ON notification (recipient_id, id DESC) INCLUDE (score)');
    await runner.query(
      'CREATE INDEX notification_subject ON notification (subject_id, id DESC) WHERE subject_id IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE mention (
        post_id bigint NOT NULL,
        account_id int NOT NULL,
        notification_id bigint NOT NULL,
        PRIMARY KEY (post_id, account_id)
      )`);
    await runner.query('CREATE INDEX mention_notification ON mention (notification_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = `mention, notification, flag, subscription, community_author, community_role, community, reblog, follow,
      vote, post_text, young_post, post, account, index_state, chain_checkpoint`;
    await runner.query(`DROP TABLE ${tables}`);
  }
}
