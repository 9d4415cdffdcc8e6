import { extendedConversation, type Capability } from '@waggle/contracts';
import { createLogger, inTransaction, newIdentifier, Registry } from '@waggle/service';
import { Pool, type ClientBase } from 'pg';
import { createChat } from '../../src/app';
import { readConfig } from '../../src/config';
import { appendMessages } from '../../src/log/append-messages';
import { RetentionService } from '../../src/retention/retention.service';
import { batchRows, RetentionStore } from '../../src/retention/retention.store';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';

/** The retention of messages in this test. */
const messageDays = 30;

describe('retention', () => {
  const store = new RetentionStore();
  const logger = createLogger('chat', 'silent');
  let chat: ChatUnderTest;
  let pool: Pool;
  let alice: ChatUser;
  let bob: ChatUser;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    // Instances find each other's transactions by the name.
    pool = new Pool({ connectionString: chat.database.url, application_name: 'waggle-chat' });
    [alice, bob] = await Promise.all([chat.instance.join('alice'), chat.instance.join('bob')]);
  });
  afterAll(async () => {
    await pool.end();
    await chat.stop();
  });

  /** What removes, as an instance has it, with a configuration of its own. */
  const retentionOf = (days: number | undefined) =>
    new RetentionService(store, new Registry(), pool, { messageDays: days }, logger);
  const sweep = () => retentionOf(messageDays).sweep();
  const numberOf = async (sql: string, ...values: unknown[]) => {
    const { rows } = await pool.query<{ n: number }>(`SELECT (${sql})::int AS n`, values);
    return rows[0]?.n ?? NaN;
  };
  const countIn = (id: string) => numberOf('SELECT count(*) FROM message WHERE conversation_id = $1', id);
  const rowOf = async (id: string) => {
    const { rows } = await pool.query<{
      last_message_at: Date;
      last_seq: string;
      removed_seq: string;
      oldest_since: Date;
    }>('SELECT last_message_at, last_seq, removed_seq, oldest_since FROM conversation WHERE id = $1', [id]);
    if (rows[0] === undefined) throw new Error('no such conversation');
    return rows[0];
  };

  /** Dates back the first messages of a conversation, and its creation. */
  const makeOld = async (id: string, ages: readonly number[]) => {
    await pool.query(
      `UPDATE message m SET sent_at = sent_at - old.age * interval '1 day'
       FROM (SELECT seq, age FROM unnest($2::float8[]) WITH ORDINALITY AS a (age, n)
             JOIN (SELECT seq, row_number() OVER (ORDER BY seq) AS n FROM message WHERE conversation_id = $1) b USING (n)) old
       WHERE m.conversation_id = $1 AND m.seq = old.seq`,
      [id, ages],
    );
    await pool.query(`UPDATE conversation SET oldest_since = oldest_since - $2 * interval '1 day' WHERE id = $1`, [
      id,
      Math.max(...ages),
    ]);
  };
  /** A group of the two with messages `0`, `1`, … of alice, with the given ages in days. */
  const writtenAgo = async (...ages: number[]) => {
    const { id } = await alice.open(['bob'], '0');
    for (let n = 1; n < ages.length; n += 1) await alice.say(id, String(n));
    await makeOld(id, ages);
    return id;
  };
  /** Like `writtenAgo`, with a number of messages between the first, a hundred days old, and the last, new one. */
  const writtenMany = async (count: number) => {
    const id = await writtenAgo(100);
    await pool.query(
      `WITH c AS (UPDATE conversation SET last_seq = last_seq + $2 WHERE id = $1 RETURNING last_seq - $2 AS former)
       INSERT INTO message (conversation_id, seq, id, sender, content, sent_at)
       SELECT $1, former + n, $1 || n, 'alice', n, now() - interval '99 days' + n * interval '1 second'
       FROM c, generate_series(1, $2::bigint) n`,
      [id, count],
    );
    await alice.say(id, 'latest');
    return id;
  };
  const textsIn = async (id: string, user = bob) => (await user.wholeHistory(id)).map(({ content }) => content);
  const extended = (id: string) => bob.getJson(`/messages/conversation?id=${id}&extended=true`, extendedConversation);
  /** Another connection of bob, with `sync`. */
  const synced = async (resume?: string) => {
    const socket = await chat.instance.openSocket();
    const capabilities: Capability[] = ['sync'];
    socket.send('authenticate', { token: bob.session.token, capabilities, resume });
    const { payload } = await socket.next('status');
    return { socket, cursor: payload.cursor };
  };

  describe('of messages', () => {
    it('removes the former texts, reactions, pins and mentions of a message together with it', async () => {
      const rich = await alice.connect(['rich']);
      const id = await writtenAgo(100, 1);
      const [old, recent] = await alice.history(id);
      for (const message of [old, recent]) {
        await rich.request('add-reaction', { id: message?.id, emoji: '🐝' }, 'reactions-changed');
        await rich.request('pin-message', { id: message?.id }, 'pins-changed');
        await pool.query(`UPDATE message SET revision = 1, edited_at = now() WHERE id = $1`, [message?.id]);
        await pool.query(
          `INSERT INTO message_revision SELECT conversation_id, seq, 0, 'former', sent_at FROM message WHERE id = $1`,
          [message?.id],
        );
        await pool.query(
          `INSERT INTO mention SELECT 'bob', conversation_id, seq, seq, sender, sent_at FROM message WHERE id = $1`,
          [message?.id],
        );
      }
      await sweep();
      expect((await alice.history(id)).map(({ content }) => content)).toEqual(['1']);
      for (const table of ['message_revision', 'reaction', 'pin', 'mention'])
        expect(await numberOf(`SELECT count(*) FROM ${table} WHERE conversation_id = $1`, id)).toBe(1);
    });

    it('deletes old ones and keeps newer ones; lists and counts are correct', async () => {
      const id = await writtenAgo(40, 35, 2, 1, 0);
      const { last_message_at } = await rowOf(id);
      await sweep();
      expect(await textsIn(id)).toEqual(['2', '3', '4']);
      const unread = (await bob.unread()).filter(({ conversation_id }) => conversation_id === id);
      expect(unread.map(({ content }) => content)).toEqual(['2', '3', '4']);
      const shown = { last_seq: 6, unread_count: 3, last_message: { content: '4' } };
      expect(await extended(id)).toMatchObject(shown);
      expect(await rowOf(id)).toMatchObject({ last_message_at, last_seq: '6', removed_seq: '3' });
    });

    it('deletes the changes that the history shows with them', async () => {
      const { id } = await alice.open(['bob']);
      for (const name of ['first', 'second'])
        await alice.socket.request('rename-conversation', { conversation_id: id, name }, 'conversation-renamed');
      await pool.query(
        `UPDATE conversation_change SET at = at - interval '40 days' WHERE conversation_id = $1 AND name = 'first'`,
        [id],
      );
      await sweep();
      const { rows } = await pool.query('SELECT name FROM conversation_change WHERE conversation_id = $1', [id]);
      expect(rows).toEqual([{ name: 'second' }]);
    });

    it('deletes drafts that are as old', async () => {
      const rich = await alice.connect(['rich']);
      const ids = [(await alice.open(['bob'])).id, (await alice.open(['bob'])).id];
      for (const conversation_id of ids)
        await rich.request('set-draft', { conversation_id, text: 'not sent' }, 'draft-changed');
      await pool.query(`UPDATE draft SET updated_at = updated_at - interval '40 days' WHERE conversation_id = $1`, [
        ids[0],
      ]);
      await retentionOf(undefined).sweep();
      expect(await numberOf('SELECT count(*) FROM draft')).toBe(2);
      await sweep();
      const { rows } = await pool.query('SELECT conversation_id FROM draft');
      expect(rows).toEqual([{ conversation_id: ids[1] }]);
    });

    it('can delete all messages of a conversation, which continues', async () => {
      const id = await writtenAgo(50, 40);
      await sweep();
      expect(await extended(id)).toMatchObject({ last_seq: 3, unread_count: 0, last_message: null });
      expect(await textsIn(id)).toEqual([]);
      const { timestamp } = await alice.say(id, 'next');
      await bob.socket.next('chat-message', ({ content }) => content === 'next');
      expect(await extended(id)).toMatchObject({ last_seq: 4, unread_count: 1, last_message: { timestamp } });
      // And that is found when its time has come.
      await makeOld(id, [60]);
      await sweep();
      expect(await textsIn(id)).toEqual([]);
    });

    it('keeps those of the first retained day, and all of them without a number of days', async () => {
      const id = await writtenAgo(400, messageDays, 0);
      await retentionOf(undefined).sweep();
      expect(await textsIn(id)).toEqual(['0', '1', '2']);
      await sweep();
      expect(await textsIn(id)).toEqual(['1', '2']);
    });

    it('deletes those marked as deleted too, even in a conversation that was never searched', async () => {
      const id = await writtenAgo(40, 40, 0);
      const [first] = await alice.wholeHistory(id);
      await alice.socket.request('delete-message', { id: first?.id }, 'message-deleted');
      // As a conversation that is older than the feature.
      await pool.query(`UPDATE conversation SET oldest_since = '-infinity' WHERE id = $1`, [id]);
      await sweep();
      expect(await countIn(id)).toBe(1);
    });

    it('deletes in batches; after any batch the rest is intact, and another instance continues', async () => {
      const id = await writtenMany(2_500);
      const whole = await textsIn(id);
      const removal = (client: ClientBase) => store.removeMessages(client, messageDays);
      const killed = inTransaction(pool, async (client) => {
        expect(await removal(client)).toEqual({ removed: batchRows, updated: 1 });
        throw new Error('killed');
      });
      await expect(killed).rejects.toThrow('killed');
      expect(await textsIn(id)).toEqual(whole);

      expect(await inTransaction(pool, removal)).toEqual({ removed: batchRows, updated: 1 });
      expect(await textsIn(id)).toEqual(whole.slice(batchRows));
      expect(await extended(id)).toMatchObject({ unread_count: 1_000, last_message: { content: 'latest' } });
      expect(await rowOf(id)).toMatchObject({ removed_seq: String(1 + batchRows) });
      await sweep();
      expect(await textsIn(id)).toEqual(['latest']);
    });

    it('deletes while the conversation is locked, and records it afterwards', async () => {
      const id = await writtenAgo(40, 0);
      const { oldest_since } = await rowOf(id);
      await inTransaction(pool, async (client) => {
        await client.query('SELECT FROM conversation WHERE id = $1 FOR NO KEY UPDATE', [id]);
        await sweep();
        expect(await countIn(id)).toBe(1);
        expect(await rowOf(id)).toMatchObject({ oldest_since });
      });
      await sweep();
      expect((await rowOf(id)).oldest_since.getTime()).toBeGreaterThan(Date.now() - 86_400_000);
    });
  });

  describe('of messages that have not been delivered yet', () => {
    it('does not block a client that resumes', async () => {
      const id = await writtenAgo(0);
      const { socket: former, cursor } = await synced();
      await former.close();
      for (const text of ['a', 'b', 'c', 'd']) await alice.say(id, text);
      await makeOld(id, [50, 49, 48]);
      await sweep();
      const { socket } = await synced(cursor);
      await socket.next('resume-complete');
      await alice.say(id, 'e');
      await socket.next('chat-message', ({ content }) => content === 'e');
      const received = socket.received('chat-message').filter(({ conversation_id }) => conversation_id === id);
      expect(received.map(({ content }) => content)).toEqual(['c', 'd', 'e']);
    });

    it('does not block an instance that catches up', async () => {
      const id = await writtenAgo(0);
      const { socket } = await synced();
      const message = { conversationId: id, sender: 'alice', recipient: null, clientId: null };
      await inTransaction(pool, async (client) => {
        const texts = ['a', 'b', 'c', 'd'];
        const positions = { ...message, authorizedSeq: Number.MAX_SAFE_INTEGER };
        await appendMessages(
          client,
          texts.map((content) => ({ ...positions, id: newIdentifier(), content })),
        );
        // The messages before `c`, as if they were old when they arrived.
        await client.query(
          `UPDATE message SET sent_at = sent_at - interval '40 days' WHERE conversation_id = $1 AND seq <= (SELECT last_seq - 2 FROM conversation WHERE id = $1)`,
          [id],
        );
        await client.query(`UPDATE conversation SET oldest_since = '-infinity' WHERE id = $1`, [id]);
        expect(await store.removeMessages(client, messageDays)).toMatchObject({ removed: 3 });
      });
      await socket.next('chat-message', ({ content }) => content === 'd');
      await alice.say(id, 'e');
      await socket.next('chat-message', ({ content }) => content === 'e');
      expect(socket.received('chat-message').map(({ content }) => content)).toEqual(['c', 'd', 'e']);
    });
  });

  it('runs on one instance at a time', async () => {
    const id = await writtenAgo(40, 0);
    await inTransaction(pool, async (client) => {
      expect(await store.tryLock(client)).toBe(true);
      await sweep();
      expect(await countIn(id)).toBe(2);
    });
    await sweep();
    expect(await countIn(id)).toBe(1);

    const many = await writtenMany(2_500);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await textsIn(many)).toEqual(['latest']);
  });

  it('deletes old commits and entries, and ended sessions', async () => {
    const young = [await numberOf('SELECT count(*) FROM commit_log'), await numberOf('SELECT count(*) FROM event')];
    await pool.query(`
      INSERT INTO commit_log (at, streams, seqs)
      SELECT now() - interval '11 minutes', '{}', '{}' FROM generate_series(1, ${batchRows + 500});
      INSERT INTO event (stream, seq, at, events)
      SELECT 'old', n, now() - interval '26 hours', '[]' FROM generate_series(1, ${batchRows + 500}) n;
      INSERT INTO session (id, account, proof, signing_key, expires_at, revoked_at)
      SELECT id, 'dave', sha256(id::bytea), '', expires_at, revoked_at FROM (
        SELECT 'expired' || n, now() - interval '25 hours', NULL::timestamptz FROM generate_series(1, ${batchRows + 500}) n
        UNION ALL VALUES ('revoked', now() + interval '1 day', now() - interval '25 hours'),
          ('lately expired', now() - interval '23 hours', NULL), ('lately revoked', now(), now() - interval '23 hours'),
          ('live', now() + interval '1 hour', NULL)
      ) AS sessions (id, expires_at, revoked_at)`);
    await sweep();
    expect([await numberOf('SELECT count(*) FROM commit_log'), await numberOf('SELECT count(*) FROM event')]).toEqual(
      young,
    );
    const { rows } = await pool.query<{ id: string }>(`SELECT id FROM session WHERE account = 'dave' ORDER BY id`);
    expect(rows.map((row) => row.id)).toEqual(['lately expired', 'lately revoked', 'live']);
  });

  it('deletes messages only with MESSAGE_RETENTION_DAYS', async () => {
    const id = await writtenMany(5_000);
    const service = retentionOf(messageDays);
    const sweeping = service.sweep();
    while ((await countIn(id)) > 5_000) await new Promise(setImmediate);
    await service.onModuleDestroy();
    await sweeping;
    const count = await countIn(id);
    expect(count).toBeGreaterThan(2_000);

    const { app } = await createChat(
      readConfig({
        DATABASE_URL: chat.database.url,
        HIVE_API_NODES: chat.devnet.urls.join(','),
        MESSAGE_RETENTION_DAYS: String(messageDays),
        WEB_CLIENT: 'off',
      }),
      logger,
    );
    try {
      await app.get(RetentionService).sweep();
      const removed = await app.get(Registry).getSingleMetric('chat_rows_removed_total')?.get();
      expect(removed?.values).toContainEqual({ labels: { table: 'message' }, value: count - 1 });
    } finally {
      await app.close();
    }
    expect(await countIn(id)).toBe(1);
  });
});
