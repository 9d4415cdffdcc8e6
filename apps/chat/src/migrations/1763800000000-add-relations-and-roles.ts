import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class AddRelationsAndRoles1763800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE conversation
        -- Grows with every change but a message, under the lock of the row: who holds the lock sees by it whether what
        -- the statement read before is still so.
        ADD COLUMN version bigint NOT NULL DEFAULT 0,
        -- Of a dm: either of the two blocks the other.
        ADD COLUMN blocked boolean NOT NULL DEFAULT false;
      CREATE INDEX conversation_channels ON conversation (creator) WHERE type = 'channel';

      -- The order in which members joined and moderators were made: never the same twice, unlike a clock.
      CREATE SEQUENCE member_order AS bigint;
      ALTER TABLE member
        ADD COLUMN joined bigint NOT NULL DEFAULT nextval('member_order'),
        ADD COLUMN made_moderator bigint,
        -- A reader has acknowledged a channel without joining; who is kept out was removed from one, and cannot join.
        ADD COLUMN standing text NOT NULL DEFAULT 'member' CHECK (standing IN ('member', 'reader', 'kept-out')),
        -- Of a dm: the member has left it at this seq and does not see it until there is a later message.
        ADD COLUMN left_seq bigint;
      ALTER SEQUENCE member_order OWNED BY member.joined;
      -- The column moderator stays, unused, for instances of the former version, which never wrote it.

      CREATE TABLE friendship (
        -- The two accounts in the order of their bytes.
        first      text COLLATE "C" NOT NULL,
        second     text COLLATE "C" NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (first, second),
        CHECK (first < second)
      );
      CREATE INDEX friendship_second ON friendship (second);

      CREATE TABLE friend_request (
        id         text PRIMARY KEY,
        requester  text NOT NULL,
        addressee  text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      );
      -- One for a pair: a request that meets one from the other side makes a friendship.
      CREATE UNIQUE INDEX friend_request_pair ON friend_request
        (least(requester COLLATE "C", addressee COLLATE "C"), greatest(requester COLLATE "C", addressee COLLATE "C"));
      CREATE INDEX friend_request_addressee ON friend_request (addressee);

      CREATE TABLE block (
        blocker    text NOT NULL,
        blocked    text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (blocker, blocked)
      );

      CREATE TABLE setting (
        account         text PRIMARY KEY,
        dm_from_friends boolean NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE setting, block, friend_request, friendship;
      DELETE FROM member WHERE standing <> 'member';
      ALTER TABLE member DROP COLUMN left_seq, DROP COLUMN standing, DROP COLUMN made_moderator, DROP COLUMN joined;
      DROP INDEX conversation_channels;
      ALTER TABLE conversation DROP COLUMN blocked, DROP COLUMN version;
    `);
  }
}
