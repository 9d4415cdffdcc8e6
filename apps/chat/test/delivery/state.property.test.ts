import { unreadMessage } from '@waggle/contracts';
import { isLong } from '@waggle/testing/long-form';
import * as fc from 'fast-check';
import { z } from 'zod';
import { ChatUnderTest } from '../support/chat-under-test';
import { minWaves, waves, type Action } from './random-actions';
import { RandomUsers } from './random-users';
import { DatabaseState } from '../support/database-state';

/*
 * Old state + events = freshly fetched state. Ten users (two of them with two devices) perform random actions, several
 * at the same moment. Each device fetches its state once, at the start, and from then on only applies events
 * (`ClientModel` says what it leaves out); every 20 waves and at the end its state must equal a fresh fetch.
 *
 * RUNS         number of random histories, of about a hundred actions each; default 1, with LONG=true 10
 * SEED         repeats the histories of a failed run; the seed is part of the test's name
 * SHRINK=true  shrinks a failed history, which takes minutes; useful unless the failure is a race
 */
const runs = Number(process.env['RUNS'] ?? (isLong ? 10 : 1));
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

const shrinks = process.env['SHRINK'] === 'true';

/** Waves of actions between two comparisons. */
const wavesBetween = 20;
/** Each history takes about two seconds; shrinking a failure takes longer. */
const timeoutMs = 60_000 + runs * 30_000;

describe('a client that applies events to its first fetch', () => {
  let chat: ChatUnderTest;
  let stored: DatabaseState;
  beforeAll(async () => {
    // An admin moderates every channel, also those that it is no member of.
    chat = await ChatUnderTest.start({ admins: ['judy'], messages: { attachmentHosts: ['images.example'] } });
    stored = await DatabaseState.connect(chat.database);
  });
  afterAll(async () => {
    await stored.close();
    await chat.stop();
  });

  /** Performs a history with new users, and compares each device with a fetch. @returns the number of actions */
  const perform = async (history: readonly (readonly Action[])[]): Promise<number> => {
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
    return users.actions;
  };

  it(
    `equals one that fetches its state again, whatever ten users do (${runs} histories, seed ${seed})`,
    async () => {
      let actions = 0;
      const property = fc.asyncProperty(waves, async (history) => {
        actions += await perform(history);
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

  it('equals one that fetches its state again, if it was removed from a channel before it requested it', async () => {
    const [creator, removed] = [0, 7];
    const action = (kind: Action['kind'], by: number): Action[] => [
      { kind, by, what: 0, whom: removed, amongAll: false },
    ];
    await perform([
      action('create-channel', creator),
      action('remove-member', creator),
      action('follow-channel', removed),
      action('chat-message', creator),
    ]);
  });

  describe('needs that', () => {
    // A history may end with blocks.
    beforeEach(() => stored.clear());
    afterEach(() => chat.instance.close());

    it('messages delivered before `acknowledged` are read and later ones are not, in every race', async () => {
      const [alice, bob] = [await chat.instance.join('alice'), await chat.instance.join('bob')];
      const { id: conversation_id } = await alice.open(['bob']);
      for (let round = 0; round < 20; round += 1) {
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
