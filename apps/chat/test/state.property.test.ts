import { createdChannel, unreadMessage } from '@waggle/contracts';
import * as fc from 'fast-check';
import { z } from 'zod';
import { type ChatUser } from './chat-client';
import { ChatUnderTest } from './chat-under-test';
import { minWaves, waves } from './random-actions';
import { RandomUsers } from './random-users';
import { DatabaseState } from './database-state';

/*
 * Old state + events = freshly fetched state. Ten users (two of them with two devices) perform random actions, several at
 * the same moment. Each device fetches its state once, at the start, and from then on only applies events (`ClientModel`
 * says what it leaves out); every few waves its state must equal a fresh fetch.
 *
 * RUNS         number of random histories, of about a hundred actions each; default 2
 * SEED         repeats the histories of a failed run; the seed is part of the test's name
 * SHRINK=true  shrinks a failed history, which takes minutes; useful unless the failure is a race
 */
const runs = Number(process.env['RUNS'] ?? 2);
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

const shrinks = process.env['SHRINK'] === 'true';

/** Waves of actions between two comparisons. */
const wavesBetween = 8;
/** Each history takes about two seconds; shrinking a failure takes longer. */
const timeoutMs = 60_000 + runs * 30_000;

describe('a client that applies events to its first fetch', () => {
  let chat: ChatUnderTest;
  let stored: DatabaseState;
  beforeAll(async () => {
    // An admin moderates every channel, also those that it is no member of.
    chat = await ChatUnderTest.start({ admins: ['judy'] });
    stored = await DatabaseState.connect(chat.database);
  });
  afterAll(async () => {
    await stored.close();
    await chat.stop();
  });

  it(
    `equals one that fetches its state again, whatever ten users do (${runs} histories, seed ${seed})`,
    async () => {
      let actions = 0;
      const property = fc.asyncProperty(waves, async (history) => {
        await stored.clear();
        const users = await RandomUsers.join(chat.instance);
        try {
          for (const [i, wave] of history.entries()) {
            await users.doAtOnce(wave);
            const isTime = i % wavesBetween === wavesBetween - 1 || i === history.length - 1;
            if (!isTime) continue;
            const difference = await users.findDifference();
            if (difference !== undefined) expect(difference.delivered).toEqual(difference.fetched);
            expect(difference).toBeUndefined();
          }
        } finally {
          await chat.instance.close();
        }
        actions += users.actions;
      });
      await fc.assert(property, {
        numRuns: runs,
        seed,
        endOnFailure: !shrinks,
        plugins: [fc.interruptAfterTimeLimit(timeoutMs - 30_000, { failOnInterrupt: true })],
      });
      expect(actions).toBeGreaterThanOrEqual(runs * minWaves);
      expect(chat.instance.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    },
    timeoutMs,
  );

  describe('needs that', () => {
    // A history may end with blocks.
    beforeEach(() => stored.clear());
    afterEach(() => chat.instance.close());
    const channelOf = (creator: ChatUser) => creator.postJson('/users/channels', { name: 'all of us' }, createdChannel);

    it('an admin receives the events of its changes in a channel without being a member', async () => {
      const [alice, judy] = [await chat.instance.join('alice'), await chat.instance.join('judy')];
      const { id: conversation_id } = await channelOf(alice);
      const added = await judy.socket.request('add-member', { conversation_id, username: 'bob' }, 'member-added');
      expect(added).toEqual({ conversation_id, username: 'bob' });
    });

    it('the creator of a channel receives its renaming after leaving it', async () => {
      const alice = await chat.instance.join('alice');
      const { id: conversation_id } = await channelOf(alice);
      await alice.socket.request('leave-conversation', { conversation_id }, 'conversation-removed');
      const renamed = await alice.socket.request(
        'rename-conversation',
        { conversation_id, name: 'x' },
        'conversation-renamed',
      );
      expect(renamed).toEqual({ conversation_id, name: 'x' });
    });

    it.each(['leaves', 'is removed from'])(
      'the sender of a message who %s a channel receives its deletion',
      async (how) => {
        const [alice, bob] = [await chat.instance.join('alice'), await chat.instance.join('bob')];
        const { id: conversation_id } = await channelOf(alice);
        const { id } = await bob.say(conversation_id, 'soon gone');
        if (how === 'leaves')
          await bob.socket.request('leave-conversation', { conversation_id }, 'conversation-removed');
        else await alice.socket.request('remove-member', { conversation_id, username: 'bob' }, 'member-removed');
        expect(await bob.socket.request('delete-message', { id }, 'message-deleted')).toEqual({ id });
      },
    );

    it('messages delivered before `acknowledged` are read and later ones are not, in every race', async () => {
      const [alice, bob] = [await chat.instance.join('alice'), await chat.instance.join('bob')];
      const { id: conversation_id } = await alice.open(['bob']);
      for (let round = 0; round < 60; round += 1) {
        for (let i = 0; i < 4; i += 1) alice.socket.send('chat-message', { conversation_id, message: `${round}-${i}` });
        await bob.socket.request('acknowledgment', { conversation_id }, 'acknowledged');
        await alice.say(conversation_id, 'done');
        await bob.socket.next('chat-message', ({ content }) => content === 'done');
        const delivered = bob.socket.frames.filter(({ type }) => type === 'chat-message' || type === 'acknowledged');
        const since = delivered.slice(delivered.map(({ type }) => type).lastIndexOf('acknowledged') + 1);
        const unread = (await bob.getJson('/messages/new', z.array(unreadMessage))).filter(
          (message) => message.conversation_id === conversation_id,
        );
        const contents = since.flatMap(({ payload }) => ('content' in payload ? [payload.content] : []));
        expect(unread.map(({ content }) => content)).toEqual(contents);
      }
    });
  });
});
