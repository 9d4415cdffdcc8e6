import { until } from '@waggle/testing';
import { Client, Pool } from 'pg';
import { FanOut } from '../../src/delivery/fan-out';
import { LogStore } from '../../src/log/log.store';
import { MessageWriter } from '../../src/messages/message-writer';
import { MessageQueue } from '../../src/messages/message-queue';
import { newMessage, type NewMessage } from '../../src/log/append-messages';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { deliveryOf } from '../support/delivery-parts';

/** Returns a queue as an instance has it. */
function writerOn(pool: Pool): MessageQueue {
  return new MessageQueue(unqueuedWriterOn(pool, pool), pool);
}

/** Returns a writer that stores the messages of a call together. */
function unqueuedWriterOn(pool: Pool, changesPool: Pool): MessageWriter {
  const { delivery } = deliveryOf(new LogStore(pool), { fanOutClass: FanOut });
  return new MessageWriter(pool, changesPool, delivery);
}

describe('a message in a batch', () => {
  let chat: ChatUnderTest;
  let pool: Pool;
  let writer: MessageQueue;
  let alice: ChatUser;
  let id: string;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    pool = new Pool({ connectionString: chat.database.url });
    writer = writerOn(pool);
    alice = await chat.instance.join('alice');
    ({ id } = await alice.open('bob'));
  });
  afterAll(async () => {
    await pool.end();
    await chat.stop();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const message = (
    content: string,
    clientId: string | null = null,
    conversationId = id,
    sender = 'alice',
  ): NewMessage => newMessage(sender, conversationId, { content, clientId });
  const numbered = (count: number, conversationId = id, sender = 'alice') =>
    Array.from({ length: count }, (_, n) => message(`number ${n}`, null, conversationId, sender));
  /** Writes messages that wait for another one, so that they are stored together. */
  const writeAll = async (messages: readonly NewMessage[], by = writer) => {
    const results = [message('another'), ...messages].map((each) => by.write(each));
    return (await Promise.allSettled(results)).slice(1).map((settled) => {
      if (settled.status === 'rejected') return { outcome: 'failed', seq: undefined };
      const { value } = settled;
      return { outcome: value.outcome, seq: 'entries' in value ? value.entries.at(-1)?.seq : undefined };
    });
  };

  it.each([
    ['its text', 'a\0b', null],
    ['its client_id', 'text', 'a\0b'],
  ])('fails alone because of %s', async (_what, content, mark) => {
    const results = await writeAll([...numbered(40), message(content, mark), ...numbered(40)]);
    expect(results.map(({ outcome }) => outcome)).toEqual([
      ...Array<string>(40).fill('stored'),
      'failed',
      ...Array<string>(40).fill('stored'),
    ]);
    const positions = results.flatMap(({ seq }) => seq ?? []);
    expect(positions).toEqual(positions.map((_, n) => Number(positions[0]) + n));
  });

  it('is stored once if it arrives twice', async () => {
    const [first, between, second] = await writeAll([
      message('once', 'mark'),
      message('else'),
      message('once', 'mark'),
    ]);
    expect([first?.outcome, between?.outcome, second?.outcome]).toEqual(['stored', 'stored', 'repeated']);
    expect(second?.seq).toBe(first?.seq);
    expect(await writeAll([message('once', 'mark')])).toEqual([second]);
  });

  it('is recognized as a repeat, and the others are stored', async () => {
    const [first] = await writeAll([message('once', 'among')]);
    const results = await writeAll([message('one'), message('once', 'among'), message('two', 'another')]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['stored', 'repeated', 'stored']);
    expect(results.map(({ seq }) => Number(seq) - Number(first?.seq))).toEqual([2, 0, 3]);
  });

  it('costs its batch a second statement only at its first repeat, in any conversation', async () => {
    const asked = jest.spyOn(Client.prototype, 'query');
    const own = unqueuedWriterOn(pool, pool);
    const { id: group } = await alice.open(['bob', 'carol']);
    await writeAll([message('once', 'costly'), message('once', 'costly', group)]);
    const appendsWith = async (repeat: NewMessage) => {
      asked.mockClear();
      const messages = [message('one'), repeat, message('two')];
      const results = await own.store(messages);
      const outcomes: unknown[] = [];
      for (const each of messages) outcomes.push((await results.get(each))?.outcome);
      expect(outcomes).toEqual(['stored', 'repeated', 'stored']);
      return asked.mock.calls.filter(([statement]) => JSON.stringify(statement).includes('"append-messages"')).length;
    };
    expect(await appendsWith(message('once', 'costly'))).toBe(2);
    expect(await appendsWith(message('once', 'costly'))).toBe(1);
    expect(await appendsWith(message('once', 'costly', group))).toBe(1);
  });

  it('is stored once if two instances receive it at once', async () => {
    const other = writerOn(pool);
    for (let round = 0; round < 20; round += 1) {
      const twice = await Promise.all([writer, other].map((each) => each.write(message('once', `at once ${round}`))));
      const [one, two] = twice.toSorted((a, b) => b.outcome.localeCompare(a.outcome));
      expect([one?.outcome, two?.outcome]).toEqual(['stored', 'repeated']);
      if (one === undefined || two === undefined || !('entries' in one && 'entries' in two))
        throw new Error('no entries');
      expect(two.entries).toEqual(one.entries);
    }
  });

  it('is stored once if two instances receive it at once and its sender joins by it', async () => {
    const other = writerOn(pool);
    for (let round = 0; round < 10; round += 1) {
      const { id: channel } = await alice.createChannel(`Bees ${round}`);
      const ofCarol = () => newMessage('carol', channel, { content: 'hello', clientId: 'first words' });
      const twice = await Promise.all([writer, other].map((each) => each.write(ofCarol())));
      expect(twice.map(({ outcome }) => outcome).toSorted()).toEqual(['repeated', 'stored']);
    }
  });

  it('is not treated as a repetition if another unique index is violated', async () => {
    const { id: group } = await alice.open(['bob', 'carol']);
    const inGroup = (content: string) => message(content, `mark ${content}`, group);
    await writer.write(message('once', 'there'));
    await pool.query(
      `INSERT INTO message (conversation_id, seq, id, sender, content, sent_at)
       SELECT id, last_seq + 1, 'foreign', 'bob', '', now() FROM conversation WHERE id = $1`,
      [group],
    );
    const unknown = message('nowhere', 'nowhere', 'nowhere');
    const results = await writeAll([inGroup('one'), message('once', 'there'), unknown, message('fresh', 'fresh')]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['failed', 'repeated', 'rejected', 'stored']);
  });

  it('preserves the order of the first messages of a new writer of a channel', async () => {
    const { id: channel } = await alice.createChannel('Bees');
    const changesPool = new Pool({ connectionString: chat.database.url, max: 1 });
    // The join waits for this connection, and happens while the other messages are processed.
    const held = await changesPool.connect();
    const appends = jest.spyOn(pool, 'query');
    const messages = numbered(40, channel, 'carol');
    let isReturned = false;
    const storing = unqueuedWriterOn(pool, changesPool)
      .store(messages)
      .finally(() => (isReturned = true));
    await until(() => isReturned || appends.mock.calls.length > 3);
    held.release();
    const results = await storing;
    for (const each of messages) await results.get(each);
    await changesPool.end();
    const found = await alice.history(channel);
    expect(found.map(({ content }) => content)).toEqual(messages.map(({ content }) => content));
  });

  it('is stored in one transaction with those of other accounts that join the channel by their messages', async () => {
    const { id: channel } = await alice.createChannel('Bees');
    const changesPool = new Pool({ connectionString: chat.database.url });
    const transactions = jest.spyOn(changesPool, 'connect');
    const accounts = Array.from({ length: 20 }, (_, n) => `bee-${n}`);
    const messages = ['first', 'second'].flatMap((content) =>
      accounts.map((account) => message(content, null, channel, account)),
    );
    const results = await unqueuedWriterOn(pool, changesPool).store(messages);
    const stored: string[] = [];
    for (const each of messages) {
      const result = await results.get(each);
      if (result === undefined || !('entries' in result)) throw new Error('not stored');
      stored.push(result.entries.map((entry) => ('events' in entry ? entry.joins.join() : entry.message.id)).join(' '));
    }
    // Of the stream of the account, of the channel, and of the message.
    expect(stored).toEqual(messages.map(({ id: of, sender }, n) => (n < 20 ? ` ${sender} ${of}` : of)));
    expect(transactions).toHaveBeenCalledTimes(1);
    await changesPool.end();
    const { rows } = await pool.query(
      `SELECT account FROM member WHERE conversation_id = $1 AND status = 'member' AND joined_seq + 1 IN
         (SELECT seq FROM event WHERE stream = $1 AND account = ANY(joins))`,
      [channel],
    );
    expect(rows.map(({ account }) => String(account)).toSorted()).toEqual(['alice', ...accounts].toSorted());
  });

  it('shows a dm that both accounts have left once, if both write', async () => {
    const carol = await chat.instance.join('carol');
    const dm = await alice.open('carol');
    for (const { socket } of [alice, carol])
      await socket.request('leave-conversation', { conversation_id: dm.id }, 'conversation-removed');
    const messages = ['carol', 'alice'].map((sender) => message('again', null, dm.id, sender));
    const results = await unqueuedWriterOn(pool, pool).store(messages);
    const stored = await Promise.all(messages.map(async (each) => await results.get(each)));
    const entries = stored.flatMap((result) => (result !== undefined && 'entries' in result ? result.entries : []));
    const inOrder = entries.toSorted((one, other) => one.seq - other.seq);
    const described = inOrder.map((entry) =>
      'events' in entry ? entry.events.map(({ to }) => Array.isArray(to) && to.toSorted()) : entry.message.sender,
    );
    expect(described).toEqual([[['alice', 'carol']], 'carol', 'alice']);
  });

  it('fails alone if it cannot be stored and its sender would join by it', async () => {
    const { id: channel } = await alice.createChannel('Bees');
    const messages = ['one', 'a\0b', 'three'].map((content, n) => message(content, null, channel, `wasp-${n}`));
    const results = await unqueuedWriterOn(pool, pool).store(messages);
    const settled = await Promise.allSettled(messages.map(async (each) => await results.get(each)));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const found = await alice.history(channel);
    expect(found.map(({ content }) => content)).toEqual(['one', 'three']);
  });

  it('does not fail if an acknowledgment in its batch fails', async () => {
    const [group, third, fourth] = await Promise.all(['bob', 'carol', 'dave'].map((other) => alice.open([other])));
    const to = (conversation = group) => message('text', null, String(conversation?.id));
    // The first two occupy the connections, so that the others wait and are stored together.
    const occupying = [writer.write(message('another')), writer.write(to(group))];
    const stored = writer.write(to(third));
    const acknowledged = writer.acknowledge({
      conversationId: String(fourth?.id),
      account: 'a\0b',
      deliveredSeq: null,
      upToSeq: null,
    });
    await expect(acknowledged).rejects.toThrow('invalid byte sequence');
    expect((await stored).outcome).toBe('stored');
    await Promise.all(occupying);
  });

  it('is stored if a join in its batch fails, which is reported to its sender alone', async () => {
    const { id: channel } = await alice.createChannel('Bees');
    const noPool = new Pool();
    await noPool.end();
    const joins = jest.spyOn(noPool, 'connect');
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    const other = new Client({ connectionString: chat.database.url });
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM conversation WHERE id = $1 FOR UPDATE', [id]);
    const join = message('join', null, channel, 'dave');
    const beside = message('beside');
    const storing = unqueuedWriterOn(pool, noPool).store([join, beside]);
    await until(() => joins.mock.calls.length > 0);
    // Node reports a rejection that is unhandled at the end of a turn.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    await other.end();
    const results = await storing;
    expect(await results.get(beside)).toMatchObject({ outcome: 'stored' });
    await expect(results.get(join)).rejects.toThrow('after calling end');
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('is recognized as a repeat even if its sender may no longer write', async () => {
    const { id: group } = await alice.open(['bob', 'carol']);
    const ofBob = (content: string) => newMessage('bob', group, { content, clientId: 'last words' });
    const stored = await writer.write(ofBob('bye'));
    await alice.socket.request('remove-member', { conversation_id: group, username: 'bob' }, 'member-removed');
    const again = await writer.write(ofBob('bye'));
    const more = await writer.write({ ...ofBob('bye'), clientId: 'more' });
    expect(again).toEqual({ ...stored, outcome: 'repeated' });
    expect(more).toEqual({ outcome: 'rejected', error: 'not-found' });
  });

  it('is read without gaps, as changes are, if one read does not return all', async () => {
    const { id: group } = await alice.open(['bob', 'carol']);
    const messages = numbered(1_200, group);
    await Promise.all(messages.slice(0, 600).map((each) => writer.write(each)));
    await alice.socket.request('rename-conversation', { conversation_id: group, name: 'Bees' }, 'conversation-renamed');
    await Promise.all(messages.slice(600).map((each) => writer.write(each)));
    const store = new LogStore(pool);
    const found: number[] = [];
    for (let last = 0; ; last = found.at(-1) ?? 0) {
      const entries = await store.findEntries([{ stream: group, seq: last }]);
      if (entries.length === 0) break;
      found.push(...entries.map(({ seq }) => seq));
    }
    // Its creation, its first message, the name.
    expect(found).toEqual(Array.from({ length: 1_203 }, (_, n) => n + 1));
  });
});
