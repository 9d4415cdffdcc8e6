import { extendedConversation } from '@waggle/contracts';
import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';
import { befriend, contents, listed, type ObservedUser } from '../support/observed-user';
import { ObservedUsers } from '../support/observed-users';

describe('blocking', () => {
  let all: ObservedUsers<'alice' | 'bob' | 'carol'>;
  beforeAll(async () => {
    all = await ObservedUsers.join(await ChatUnderTest.start(), 'alice', 'bob', 'carol');
  });
  afterEach(() => all.reset());
  afterAll(() => all.stop());

  /** Two unrelated accounts, and a third one that must receive nothing. */
  const strangers = () => ({ a: all.named.alice, b: all.named.bob, outsider: all.named.carol });
  const forget = (...observers: ObservedUser[]) => Promise.all(observers.map((each) => each.received()));
  /** Two with a dm that has one message. */
  const inDm = async () => {
    const three = strangers();
    const { id } = await three.a.user.open(three.b.account);
    await forget(three.a, three.b);
    return { ...three, id };
  };

  row('frame block-user', 'replies', async () => {
    const { a, b, id } = await inDm();
    expect(await a.user.socket.request('block-user', { username: b.account }, 'user-blocked')).toEqual({
      conversation_id: id,
      username: b.account,
    });
  });

  row('event user-blocked', 'is sent to the blocking account only, with the id of their dm or null', async () => {
    const { a, b, outsider } = strangers();
    await a.act('block-user', { username: b.account });
    expect(await a.received()).toEqual([
      { type: 'user-blocked', payload: { conversation_id: null, username: b.account } },
    ]);
    expect(await b.received()).toEqual([]);
    const { id } = await outsider.user.open(b.account);
    await forget(outsider, b);
    await outsider.act('block-user', { username: b.account });
    expect(await outsider.received()).toEqual([
      { type: 'user-blocked', payload: { conversation_id: id, username: b.account } },
    ]);
    expect(await b.received()).toEqual([]);
    expect(await a.received()).toEqual([]);
  });

  row('frame unblock-user', 'replies', async () => {
    const { a, b, id } = await inDm();
    await a.act('block-user', { username: b.account });
    expect(await a.user.socket.request('unblock-user', { username: b.account }, 'user-unblocked')).toEqual({
      conversation_id: id,
      username: b.account,
    });
  });

  row('event user-unblocked', 'is sent to the blocking account only, with the id of their dm or null', async () => {
    const { a, b, outsider } = strangers();
    await a.act('block-user', { username: b.account });
    await a.received();
    await a.act('unblock-user', { username: b.account });
    expect(await a.received()).toEqual([
      { type: 'user-unblocked', payload: { conversation_id: null, username: b.account } },
    ]);
    const { id } = await a.user.open(b.account);
    await a.act('block-user', { username: b.account });
    await forget(a, b);
    await a.act('unblock-user', { username: b.account });
    expect(await a.received()).toEqual([
      { type: 'user-unblocked', payload: { conversation_id: id, username: b.account } },
    ]);
    for (const other of [b, outsider]) expect(await other.received()).toEqual([]);
  });

  row('transition friend → blocked', async () => {
    const { a, b } = strangers();
    await befriend(a, b);
    await a.act('block-user', { username: b.account });
    const sides = await Promise.all([a.friends(), b.friends()]);
    expect(sides[0].friends).not.toContain(b.account);
    expect(sides[0].blocked).toContain(b.account);
    expect(sides[1].friends).not.toContain(a.account);
    expect(sides[1].blocked).not.toContain(a.account);
    expect(await b.received()).toEqual([{ type: 'friendship-removed', payload: { username: a.account } }]);
    expect(await a.received()).toEqual([
      { type: 'user-blocked', payload: { conversation_id: null, username: b.account } },
      { type: 'friendship-removed', payload: { username: b.account } },
    ]);
  });

  row('transition blocked → not blocked', 'without bringing the friendship back', async () => {
    const { a, b } = strangers();
    await befriend(a, b);
    await a.act('block-user', { username: b.account });
    await a.act('unblock-user', { username: b.account });
    const lists = await a.friends();
    expect(lists.blocked).not.toContain(b.account);
    expect(lists.friends).not.toContain(b.account);
    await befriend(b, a);
  });

  row(
    ['resource friends list', 'GET /users/friends'],
    'names those whom the caller has blocked, the first first',
    async () => {
      const { a, b, outsider } = strangers();
      await a.act('block-user', { username: outsider.account });
      await a.act('block-user', { username: b.account });
      expect(await a.friends()).toEqual({ friends: [], blocked: [outsider.account, b.account] });
      expect(await b.friends()).toEqual({ friends: [], blocked: [] });
    },
  );

  it.each(['the blocker', 'the blocked'])(
    'ends a pending request of %s, which both receive with its id',
    async (who) => {
      const { a, b, outsider } = strangers();
      const [requester, addressee] = who === 'the blocker' ? [a, b] : [b, a];
      await requester.act('request-friendship', { username: addressee.account });
      const request = (await addressee.requests()).find(({ username }) => username === requester.account);
      if (request === undefined) throw new Error('no request');
      await forget(a, b);
      await a.act('block-user', { username: b.account });
      const rejected = { type: 'friendship-rejected', payload: { id: request.id } };
      expect(await b.received()).toEqual([rejected]);
      expect(await a.received()).toEqual([
        { type: 'user-blocked', payload: { conversation_id: null, username: b.account } },
        rejected,
      ]);
      expect(await outsider.received()).toEqual([]);
      expect((await addressee.requests()).filter(({ id }) => id === request.id)).toEqual([]);
      expect(await addressee.errorCode('accept-friendship', { id: request.id })).toBe('not-found');
    },
  );

  it('sends the blocked account nothing if they were not friends', async () => {
    const { a, b } = await inDm();
    await a.act('block-user', { username: b.account });
    expect(await b.received()).toEqual([]);
  });

  it('is rejected for oneself, for unknown accounts and twice; unblocking for accounts that are not blocked', async () => {
    const { a, b } = strangers();
    expect(await a.errorCode('block-user', { username: a.account })).toBe('forbidden');
    expect(await a.errorCode('block-user', { username: 'nobody-here' })).toBe('account-not-found');
    for (const username of [b.account, a.account, 'nobody-here']) {
      expect(await a.errorCode('unblock-user', { username })).toBe('not-found');
    }
    await a.act('block-user', { username: b.account });
    await a.received();
    expect(await a.errorCode('block-user', { username: b.account })).toBe('conflict');
    expect(await b.errorCode('unblock-user', { username: a.account })).toBe('not-found');
    expect((await a.friends()).blocked.filter((name) => name === b.account)).toHaveLength(1);
    expect(await b.received()).toEqual([]);
  });

  describe('between the two', () => {
    it('rejects messages in both directions, with every frame, and neither stores nor delivers them', async () => {
      const { a, b, id } = await inDm();
      await a.act('block-user', { username: b.account });
      await a.received();
      for (const [one, other] of [[a, b] as const, [b, a] as const]) {
        for (const target of [
          { conversation_id: id },
          { conversation_id: id, to: other.account },
          { to: other.account },
        ]) {
          expect(await one.errorCode('chat-message', { ...target, message: 'heed me' })).toBe('blocked');
        }
        const again = { to: other.account, message: 'heed me' };
        expect(await one.errorCode('create-conversation', again)).toBe('blocked');
        expect(await other.received()).toEqual([]);
      }
      expect(await contents(a, id)).toEqual(['hello']);
      expect(await contents(b, id)).toEqual(['hello']);
    });

    it('rejects a new dm in both directions', async () => {
      const { a, b } = strangers();
      await b.act('block-user', { username: a.account });
      await b.received();
      for (const [one, other] of [[a, b] as const, [b, a] as const]) {
        const frame = { to: other.account, message: 'heed me' };
        expect(await one.errorCode('create-conversation', frame)).toBe('blocked');
        expect(await one.errorCode('chat-message', frame)).toBe('blocked');
        expect(await other.received()).toEqual([]);
      }
      const dms = (await a.user.conversations()).filter(
        ({ type, members }) => type === 'dm' && members.includes(b.account),
      );
      expect(dms).toEqual([]);
      await b.act('unblock-user', { username: a.account });
      expect((await a.user.open(b.account)).blocked).toBe(false);
    });

    it('shows both sides `blocked` for as long as either blocks the other', async () => {
      const { a, b, id } = await inDm();
      const seen = async () => [(await listed(a, id))?.blocked, (await listed(b, id))?.blocked];
      expect(await seen()).toEqual([false, false]);
      await a.act('block-user', { username: b.account });
      expect(await seen()).toEqual([true, true]);
      await b.act('block-user', { username: a.account });
      expect(await seen()).toEqual([true, true]);
      await a.act('unblock-user', { username: b.account });
      expect(await seen()).toEqual([true, true]);
      await a.received();
      expect(await a.errorCode('chat-message', { conversation_id: id, message: 'x' })).toBe('blocked');
      await b.act('unblock-user', { username: a.account });
      expect(await seen()).toEqual([false, false]);
      expect((await a.user.say(id, 'again')).content).toBe('again');
    });

    it('hides from each what the other reads, before and after it ends', async () => {
      const { a, b, id } = await inDm();
      const readOf = async ({ user }: ObservedUser) =>
        (await user.history(id)).filter(({ from }) => from === user.account).map(({ read }) => read);
      const lastRead = async ({ user }: ObservedUser) =>
        (await user.getJson(`/messages/conversation?id=${id}&extended=true`, extendedConversation)).last_message?.read;
      const acknowledge = ({ user }: ObservedUser) =>
        user.socket.request('acknowledgment', { conversation_id: id }, 'acknowledged');
      await b.user.say(id, 'read');
      await acknowledge(a);
      await b.user.say(id, 'read while blocked');
      await a.act('block-user', { username: b.account });
      await acknowledge(a);
      expect((await a.user.unread()).filter(({ conversation_id }) => conversation_id === id)).toEqual([]);
      expect(await readOf(b)).toEqual([true, false]);
      expect(await lastRead(b)).toBe(false);
      expect(await lastRead(a)).toBe(true);
      await a.act('unblock-user', { username: b.account });
      expect(await readOf(b)).toEqual([true, false]);
      await acknowledge(a);
      expect(await readOf(b)).toEqual([true, true]);
      expect(await lastRead(b)).toBe(true);
    });

    it('does not affect history, acknowledgments and the deletion of own messages', async () => {
      const { a, b, id } = await inDm();
      const said = await b.user.say(id, 'soon gone');
      await a.act('block-user', { username: b.account });
      expect(await contents(b, id)).toEqual(['hello', 'soon gone']);
      await a.user.socket.request('acknowledgment', { conversation_id: id }, 'acknowledged');
      await b.user.socket.request('delete-message', { id: said.id }, 'message-deleted');
      expect(await contents(a, id)).toEqual(['hello']);
    });
  });

  describe('in groups', () => {
    it('does not affect existing members', async () => {
      const { a, b, outsider } = strangers();
      const { id } = await outsider.user.open([a.account, b.account]);
      await a.act('block-user', { username: b.account });
      await forget(a, b, outsider);
      expect((await listed(a, id))?.blocked).toBe(false);
      await b.act('chat-message', { conversation_id: id, message: 'to all' });
      for (const each of [a, b, outsider]) {
        expect(await each.received()).toMatchObject([{ type: 'chat-message', payload: { content: 'to all' } }]);
      }
      await a.act('chat-message', { conversation_id: id, message: 'to all too' });
      expect(await b.received()).toMatchObject([{ type: 'chat-message', payload: { content: 'to all too' } }]);
    });

    it('prevents the blocked account from adding the blocking one, but not the reverse, and not other accounts', async () => {
      const { a, b, outsider } = strangers();
      await a.act('block-user', { username: b.account });
      const { id } = await b.user.open([outsider.account]);
      await forget(a, b, outsider);
      const into = { conversation_id: id, username: a.account };
      expect(await b.errorCode('add-member', into)).toBe('blocked');
      expect(await b.errorCode('create-conversation', { to: [outsider.account, a.account], message: 'x' })).toBe(
        'blocked',
      );
      expect(await a.received()).toEqual([]);
      expect(await outsider.received()).toEqual([]);
      await b.act('add-moderator', { conversation_id: id, username: outsider.account });
      await outsider.act('add-member', into);
      expect((await listed(a, id))?.members).toEqual([outsider.account, b.account, a.account]);
      expect((await a.user.open([b.account])).members).toEqual([b.account, a.account]);
    });
  });

  describe('in a race', () => {
    it('delivers no message of the blocked account after user-blocked, in agreement with the history', async () => {
      const { a, b, id } = await inDm();
      const expected = ['hello'];
      for (let round = 0; round < 10; round += 1) {
        for (let i = 0; i < 10; i += 1) {
          if (i === round % 10) a.user.socket.send('block-user', { username: b.account }, { ref: 'block' });
          b.user.socket.send('chat-message', { conversation_id: id, message: `${round}-${i}` }, { ref: i });
        }
        for (let i = 0; i < 10; i += 1) await b.user.socket.nextMatching(({ ref }) => ref === i);
        await a.user.socket.nextMatching(({ ref }) => ref === 'block');
        const delivered = await a.received();
        const types = delivered.map(({ type }) => type);
        expect(types.lastIndexOf('chat-message')).toBeLessThan(types.indexOf('user-blocked'));
        const arrived = delivered.flatMap(({ payload }) => ('content' in payload ? [payload.content] : []));
        const came = (await b.received()).flatMap(({ payload }) => ('content' in payload ? [payload.content] : []));
        expect(came).toEqual(arrived);
        expected.push(...arrived.map(String));
        await a.act('unblock-user', { username: b.account });
        await a.received();
      }
      expect((await a.user.wholeHistory(id)).map(({ content }) => content)).toEqual(expected);
    });

    it('with a new dm results in a blocked dm or none', async () => {
      const outcomes = new Set<string>();
      for (let round = 0; round < 6; round += 1) {
        const { a, b } = strangers();
        const [first, second] = [
          () => a.act('block-user', { username: b.account }),
          () => b.act('create-conversation', { to: a.account, message: 'hello' }),
        ];
        await Promise.all(round % 2 === 0 ? [first(), second()] : [second(), first()]);
        const delivered = await a.received();
        const dm = (await a.user.conversations()).find(
          ({ type, members }) => type === 'dm' && members.includes(b.account),
        );
        const user_blocked = {
          type: 'user-blocked',
          payload: { conversation_id: dm?.id ?? null, username: b.account },
        };
        if (dm === undefined) {
          expect(delivered).toEqual([user_blocked]);
          expect(await b.received()).toMatchObject([{ type: 'error', payload: { code: 'blocked' } }]);
        } else {
          expect(dm.blocked).toBe(true);
          expect(delivered.map(({ type }) => type)).toEqual(['conversation-created', 'chat-message', 'user-blocked']);
          expect(delivered[2]).toEqual(user_blocked);
          expect(await contents(b, dm.id)).toEqual(['hello']);
        }
        outcomes.add(dm === undefined ? 'none' : 'before');
        await all.reset();
      }
      expect(outcomes.size).toBeGreaterThan(0);
    });

    it('with an acceptance leaves no friendship, and both accounts receive the events in one order', async () => {
      const { a, b } = strangers();
      for (let round = 0; round < 10; round += 1) {
        await a.act('request-friendship', { username: b.account });
        const id = (await b.requests()).find(({ username }) => username === a.account)?.id;
        await forget(a, b);
        const blocking = a.act('block-user', { username: b.account });
        await Promise.all([blocking, b.act('accept-friendship', { id })]);
        const types = async (observer: ObservedUser) => (await observer.received()).map(({ type }) => type);
        const [byA, byB] = [await types(a), await types(b)];
        if (byA[0] === 'friendship-accepted') {
          expect(byA).toEqual(['friendship-accepted', 'user-blocked', 'friendship-removed']);
          expect(byB).toEqual(['friendship-accepted', 'friendship-removed']);
        } else {
          expect(byA).toEqual(['user-blocked', 'friendship-rejected']);
          // The error is a reply to one connection, so it has no order among the events.
          expect(byB.toSorted()).toEqual(['error', 'friendship-rejected']);
        }
        expect((await a.friends()).friends).not.toContain(b.account);
        expect((await b.friends()).friends).not.toContain(a.account);
        await a.act('unblock-user', { username: b.account });
        await a.received();
      }
    });
  });
});
