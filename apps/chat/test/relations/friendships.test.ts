import { type ClientFrameType } from '@waggle/contracts';
import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';
import { type ObservedUser } from '../support/observed-user';
import { ObservedUsers } from '../support/observed-users';

const identifier = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/) as unknown;
const nowhere = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('friend requests and friendships', () => {
  let all: ObservedUsers<'alice' | 'bob' | 'carol'>;
  beforeAll(async () => {
    all = await ObservedUsers.join(await ChatUnderTest.start(), 'alice', 'bob', 'carol');
  });
  afterEach(() => all.reset());
  afterAll(() => all.stop());

  /** Two unrelated accounts, and a third one that must receive nothing. */
  const strangers = () => ({ a: all.named.alice, b: all.named.bob, outsider: all.named.carol });
  /** The id of the request that the one made to the other. */
  const requestOf = async (requester: ObservedUser, addressee: ObservedUser): Promise<string> => {
    await requester.act('request-friendship', { username: addressee.account });
    const requests = await addressee.requests();
    const id = requests.find(({ username }) => username === requester.account)?.id;
    if (id === undefined) throw new Error('no request');
    await Promise.all([requester.received(), addressee.received()]);
    return id;
  };
  const requested = async () => {
    const three = strangers();
    return { ...three, id: await requestOf(three.a, three.b) };
  };
  const befriended = async () => {
    const { a, b, outsider, id } = await requested();
    await b.act('accept-friendship', { id });
    await Promise.all([a.received(), b.received()]);
    return { a, b, outsider };
  };
  const areFriends = async (a: ObservedUser, b: ObservedUser) => {
    const sides = await Promise.all([a.friends(), b.friends()]);
    const [one, other] = [sides[0].friends.includes(b.account), sides[1].friends.includes(a.account)];
    expect(one).toBe(other);
    return one;
  };
  const pendingFrom = async (a: ObservedUser, b: ObservedUser) =>
    (await b.requests()).filter(({ username }) => username === a.account);

  describe('requesting', () => {
    row('frame request-friendship', 'replies, and sends nothing to other accounts', async () => {
      const { a, b, outsider } = strangers();
      expect(
        await a.user.socket.request('request-friendship', { username: b.account }, 'friendship-requested'),
      ).toEqual({
        id: identifier,
        username: a.account,
      });
      expect(await outsider.received()).toEqual([]);
    });

    row('event friendship-requested', 'is sent to both with the requester as username', async () => {
      const { a, b, outsider } = strangers();
      await a.act('request-friendship', { username: b.account });
      const delivered = await a.received();
      expect(delivered).toEqual([{ type: 'friendship-requested', payload: { id: identifier, username: a.account } }]);
      expect(await b.received()).toEqual(delivered);
      expect(await outsider.received()).toEqual([]);
    });

    row('transition no friendship → pending', async () => {
      const { a, b } = strangers();
      expect(await pendingFrom(a, b)).toEqual([]);
      const id = await requestOf(a, b);
      expect(await pendingFrom(a, b)).toEqual([{ id, username: a.account }]);
      expect(await areFriends(a, b)).toBe(false);
    });

    row(
      'GET /users/friend-requests',
      'lists those that wait for the caller, the oldest first, and not their own',
      async () => {
        const { a, b, outsider } = strangers();
        const first = await requestOf(a, b);
        const second = await requestOf(outsider, b);
        expect(await b.requests()).toEqual([
          { id: first, username: a.account },
          { id: second, username: outsider.account },
        ]);
        expect([...(await a.requests()), ...(await outsider.requests())]).toEqual([]);
      },
    );

    row('resource friend request', 'has nothing but id and username', async () => {
      const { a, b, id } = await requested();
      const [request] = await pendingFrom(a, b);
      expect(request).toEqual({ id, username: a.account });
      expect(Object.keys(request ?? {}).sort()).toEqual(['id', 'username']);
    });

    it('is rejected for oneself, for unknown accounts, twice, and for a friend', async () => {
      const { a, b, outsider } = await requested();
      expect(await a.errorCode('request-friendship', { username: a.account })).toBe('forbidden');
      expect(await a.errorCode('request-friendship', { username: 'nobody-here' })).toBe('account-not-found');
      expect(await a.errorCode('request-friendship', { username: b.account })).toBe('conflict');
      expect(await pendingFrom(a, b)).toHaveLength(1);
      await b.act('request-friendship', { username: a.account });
      await Promise.all([a.received(), b.received()]);
      for (const [one, other] of [[a, b] as const, [b, a] as const]) {
        expect(await one.errorCode('request-friendship', { username: other.account })).toBe('conflict');
        expect(await other.received()).toEqual([]);
      }
      expect(await pendingFrom(a, b)).toEqual([]);
      expect(await outsider.received()).toEqual([]);
    });

    it('is rejected while either blocks the other, and accepted afterwards', async () => {
      const { a, b } = strangers();
      await a.act('block-user', { username: b.account });
      await a.received();
      for (const [one, other] of [[a, b] as const, [b, a] as const]) {
        expect(await one.errorCode('request-friendship', { username: other.account })).toBe('blocked');
        expect(await other.received()).toEqual([]);
        expect(await pendingFrom(one, other)).toEqual([]);
      }
      await a.act('unblock-user', { username: b.account });
      expect(await requestOf(b, a)).toEqual(identifier);
    });
  });

  describe('accepting', () => {
    row('frame accept-friendship', 'replies to its addressee', async () => {
      const { a, b, id } = await requested();
      expect(await b.user.socket.request('accept-friendship', { id }, 'friendship-accepted')).toEqual({
        id,
        username: a.account,
      });
    });

    row('event friendship-accepted', 'is sent to both, each with the other as username', async () => {
      const { a, b, outsider, id } = await requested();
      await b.act('accept-friendship', { id });
      expect(await b.received()).toEqual([{ type: 'friendship-accepted', payload: { id, username: a.account } }]);
      expect(await a.received()).toEqual([{ type: 'friendship-accepted', payload: { id, username: b.account } }]);
      expect(await outsider.received()).toEqual([]);
    });

    row('transition pending → friend', async () => {
      const { a, b, id } = await requested();
      await b.act('accept-friendship', { id });
      expect(await areFriends(a, b)).toBe(true);
      expect(await pendingFrom(a, b)).toEqual([]);
    });

    row(
      ['GET /users/friends', 'resource friends list'],
      'names each friend once, in the order in which they became so',
      async () => {
        const { a, b, outsider } = await befriended();
        await requestOf(outsider, a);
        await a.act('request-friendship', { username: outsider.account });
        expect(await a.friends()).toEqual({ friends: [b.account, outsider.account], blocked: [] });
      },
    );

    row('frame accept-friendship', 'is rejected for other accounts, twice, and for unknown requests', async () => {
      const { a, b, outsider, id } = await requested();
      expect(await a.errorCode('accept-friendship', { id })).toBe('not-found');
      expect(await outsider.errorCode('accept-friendship', { id })).toBe('not-found');
      expect(await b.errorCode('accept-friendship', { id: nowhere })).toBe('not-found');
      expect(await areFriends(a, b)).toBe(false);
      expect(await pendingFrom(a, b)).toHaveLength(1);
      await b.act('accept-friendship', { id });
      await Promise.all([a.received(), b.received()]);
      expect(await b.errorCode('accept-friendship', { id })).toBe('not-found');
      expect(await b.errorCode('reject-friendship', { id })).toBe('not-found');
      expect(await a.received()).toEqual([]);
      expect(await areFriends(a, b)).toBe(true);
    });
  });

  describe('rejecting', () => {
    row('frame reject-friendship', 'replies', async () => {
      const { b, id } = await requested();
      expect(await b.user.socket.request('reject-friendship', { id }, 'friendship-rejected')).toEqual({ id });
    });

    row('event friendship-rejected', 'is sent to both accounts with only the id', async () => {
      const { a, b, outsider, id } = await requested();
      await b.act('reject-friendship', { id });
      for (const side of [a, b])
        expect(await side.received()).toEqual([{ type: 'friendship-rejected', payload: { id } }]);
      expect(await outsider.received()).toEqual([]);
    });

    row('transition pending → rejected', 'and may be requested again', async () => {
      const { a, b, id } = await requested();
      await b.act('reject-friendship', { id });
      expect(await pendingFrom(a, b)).toEqual([]);
      expect(await areFriends(a, b)).toBe(false);
      expect(await requestOf(a, b)).not.toBe(id);
    });

    it('is allowed for the requester too, who withdraws the request', async () => {
      const { a, b, id } = await requested();
      await a.act('reject-friendship', { id });
      for (const side of [a, b])
        expect(await side.received()).toEqual([{ type: 'friendship-rejected', payload: { id } }]);
      expect(await b.errorCode('accept-friendship', { id })).toBe('not-found');
      expect(await areFriends(a, b)).toBe(false);
    });

    it('is rejected for other accounts and unknown requests', async () => {
      const { a, b, outsider, id } = await requested();
      expect(await outsider.errorCode('reject-friendship', { id })).toBe('not-found');
      expect(await b.errorCode('reject-friendship', { id: nowhere })).toBe('not-found');
      expect(await a.received()).toEqual([]);
      expect(await pendingFrom(a, b)).toEqual([{ id, username: a.account }]);
    });
  });

  describe('ending', () => {
    row('frame remove-friendship', 'replies', async () => {
      const { a, b } = await befriended();
      expect(await a.user.socket.request('remove-friendship', { username: b.account }, 'friendship-removed')).toEqual({
        username: b.account,
      });
    });

    row('event friendship-removed', 'is sent to both, each with the other as username', async () => {
      const { a, b, outsider } = await befriended();
      await b.act('remove-friendship', { username: a.account });
      expect(await b.received()).toEqual([{ type: 'friendship-removed', payload: { username: a.account } }]);
      expect(await a.received()).toEqual([{ type: 'friendship-removed', payload: { username: b.account } }]);
      expect(await outsider.received()).toEqual([]);
    });

    row('transition friend → not a friend', 'and may be requested again', async () => {
      const { a, b } = await befriended();
      await a.act('remove-friendship', { username: b.account });
      expect(await areFriends(a, b)).toBe(false);
      expect(await requestOf(b, a)).toEqual(identifier);
    });

    it('is rejected for accounts that are not friends', async () => {
      const { a, b } = await requested();
      for (const username of [b.account, a.account, 'nobody-here']) {
        expect(await a.errorCode('remove-friendship', { username })).toBe('not-found');
      }
      expect(await b.errorCode('remove-friendship', { username: a.account })).toBe('not-found');
      expect(await a.received()).toEqual([]);
      expect(await pendingFrom(a, b)).toHaveLength(1);
    });
  });

  it.each<[ClientFrameType, string]>([
    ['request-friendship', 'username'],
    ['accept-friendship', 'id'],
    ['reject-friendship', 'id'],
    ['remove-friendship', 'username'],
    ['block-user', 'username'],
    ['unblock-user', 'username'],
  ])('rejects a malformed %s and names the field', async (type, field) => {
    const { socket } = all.named.alice.user;
    for (const value of [
      undefined,
      null,
      '',
      5,
      ['bob'],
      { a: 1 },
      'No Name!',
      "x' OR '1'='1",
      'x\0y',
      'x'.repeat(99),
    ]) {
      const { code, message } = await socket.requestError(type, { [field]: value });
      // A text that cannot be a name is an account that is not there.
      const expected = field === 'username' && typeof value === 'string' ? 'account-not-found' : 'invalid-frame';
      expect({ value, code }).toEqual({ value, code: expected });
      expect(message).toContain(`${field}:`);
    }
  });

  describe('requests that cross', () => {
    it('become a friendship, one after the other', async () => {
      const { a, b, outsider, id } = await requested();
      await b.act('request-friendship', { username: a.account });
      expect(await b.received()).toEqual([{ type: 'friendship-accepted', payload: { id, username: a.account } }]);
      expect(await a.received()).toEqual([{ type: 'friendship-accepted', payload: { id, username: b.account } }]);
      expect(await outsider.received()).toEqual([]);
      expect(await areFriends(a, b)).toBe(true);
      expect([...(await pendingFrom(a, b)), ...(await pendingFrom(b, a))]).toEqual([]);
    });

    it('become one friendship when they race, with no error except `conflict`', async () => {
      const { a, b } = strangers();
      for (let round = 0; round < 8; round += 1) {
        await Promise.all([
          a.act('request-friendship', { username: b.account }),
          b.act('request-friendship', { username: a.account }),
        ]);
        for (const side of [a, b]) {
          const delivered = await side.received();
          expect(delivered.filter(({ type }) => type === 'friendship-accepted')).toHaveLength(1);
          for (const frame of delivered.filter(({ type }) => type === 'error')) {
            expect(frame.payload).toMatchObject({ code: 'conflict' });
          }
        }
        for (const [one, other] of [[a, b] as const, [b, a] as const]) {
          expect((await one.friends()).friends.filter((name) => name === other.account)).toHaveLength(1);
          expect(await pendingFrom(one, other)).toEqual([]);
        }
        await a.act('remove-friendship', { username: b.account });
        await Promise.all([a.received(), b.received()]);
      }
    });

    it('become one friendship or none if one account withdraws what the other accepts', async () => {
      const { a, b } = strangers();
      for (let round = 0; round < 8; round += 1) {
        const id = await requestOf(a, b);
        await Promise.all([b.act('accept-friendship', { id }), a.act('reject-friendship', { id })]);
        const delivered = await Promise.all([a.received(), b.received()]);
        const types = delivered.map((frames) => frames.flatMap(({ type }) => (type === 'error' ? [] : [type])));
        expect(types[0]).toEqual(types[1]);
        expect(types[0]).toHaveLength(1);
        const friends = types[0]?.[0] === 'friendship-accepted';
        expect(await areFriends(a, b)).toBe(friends);
        expect(await pendingFrom(a, b)).toEqual([]);
        if (friends) await b.act('remove-friendship', { username: a.account });
        await Promise.all([a.received(), b.received()]);
      }
    });
  });
});
