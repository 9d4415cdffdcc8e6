import { clientFrames, conversation, type ClientFrameType, type Conversation } from '@waggle/contracts';
import { z } from 'zod';
import { bearer } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';
import { interfaceTables } from '../support/interface-rows';
import { DatabaseState } from '../support/database-state';
import { ObservedUser } from '../support/observed-user';

/** Identifiers that a stranger obtained. */
interface Identifiers {
  conversation: string;
  message: string;
  request: string;
  session: string;
}

const nowhere = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const notThere: Identifiers = { conversation: nowhere, message: nowhere, request: nowhere, session: nowhere };

/** Why a frame or endpoint cannot refer to data of other accounts. */
type Harmless = string;
const ownRelations: Harmless = 'is about what the caller has with an account, whose name is public';

/** For every frame, the ways to refer to data of other accounts. A new frame needs its case here. */
const frameCases: Record<ClientFrameType, Harmless | ((ids: Identifiers) => object[])> = {
  authenticate: 'names an account that must be that of the token: see the test of its own',
  'create-conversation': 'begins one with accounts, whose names are public',
  'request-friendship': ownRelations,
  'remove-friendship': ownRelations,
  'block-user': ownRelations,
  'unblock-user': ownRelations,
  'accept-friendship': ({ request }) => [{ id: request }],
  'reject-friendship': ({ request }) => [{ id: request }],
  'rename-conversation': ({ conversation: conversation_id }) => [{ conversation_id, name: 'ours now' }],
  'leave-conversation': ({ conversation: conversation_id }) => [{ conversation_id }],
  'chat-message': ({ conversation: conversation_id, message }) => [
    { conversation_id, message: 'let me in' },
    { conversation_id, message: 'let me in', reply_to: message },
    { conversation_id, to: null, message: 'let me in' },
    { conversation_id, to: 'alice', message: 'let me in' },
    { conversation_id, to: 'bob', message: 'let me in' },
    { conversation_id, to: 'judy', message: 'let me in' },
  ],
  'delete-message': ({ message }) => [{ id: message }],
  'edit-message': ({ message: id }) => [{ id, message: 'changed' }],
  'add-reaction': ({ message: id }) => [{ id, emoji: '🐝' }],
  'remove-reaction': ({ message: id }) => [{ id, emoji: '🐝' }],
  'pin-message': ({ message: id }) => [{ id }],
  'unpin-message': ({ message: id }) => [{ id }],
  'mark-unread': ({ message: id }) => [{ id }],
  'set-conversation-preferences': ({ conversation: conversation_id }) => [{ conversation_id, muted: true }],
  'set-draft': ({ conversation: conversation_id, message }) => [
    { conversation_id, text: 'let me in' },
    { conversation_id, text: 'let me in', reply_to: message },
    { conversation_id, text: '' },
  ],
  acknowledgment: ({ conversation: conversation_id }) => [{ conversation_id }],
  typing: 'requires a capability: see capabilities.test.ts',
  'add-member': ({ conversation: conversation_id }) => ofMembers(conversation_id),
  'remove-member': ({ conversation: conversation_id }) => ofMembers(conversation_id),
  'add-moderator': ({ conversation: conversation_id }) => ofMembers(conversation_id),
  'remove-moderator': ({ conversation: conversation_id }) => ofMembers(conversation_id),
};

function ofMembers(conversation_id: string): object[] {
  return ['judy', 'alice', 'heidi'].map((username) => ({ conversation_id, username }));
}

type Endpoint =
  | keyof (typeof interfaceTables)['REST endpoints']
  | keyof (typeof interfaceTables)['REST endpoints beyond the document'];

interface Call {
  path: string;
  body?: object;
}

const ownThings: Harmless = 'is about the caller alone';
/** The same for every endpoint. */
const endpointCases: Record<Endpoint, Harmless | ((ids: Identifiers) => Call[])> = {
  'GET /users/login': 'is open to everyone with a key of the account',
  'GET /users/verify': ownThings,
  'GET /users/refresh-token': ownThings,
  'GET /refresh-token': ownThings,
  'GET /users/friends': ownThings,
  'GET /users/friend-requests': ownThings,
  'GET /users/settings': ownThings,
  'POST /users/settings': ownThings,
  'GET /users/channels': ownThings,
  'POST /users/channels': ownThings,
  'GET /users/logout': ownThings,
  'GET /messages/conversations': ownThings,
  'GET /messages/conversation': ({ conversation: id }) => [
    { path: `/messages/conversation?id=${id}` },
    { path: `/messages/conversation?ids=${id}` },
    { path: `/messages/conversation?ids=${id},${id}` },
    { path: `/messages/conversation?id=${id}&ids=${id}` },
  ],
  'GET /messages/new': ownThings,
  'GET /messages/mentions': ownThings,
  'GET /messages/unread-counts': ownThings,
  'GET /messages/chats': ({ conversation: id }) => [
    { path: `/messages/chats?conversation_id=${id}` },
    { path: `/messages/chats?conversation_id=${id}&before=${Date.now() + 1_000}&limit=200` },
  ],
  'GET /messages/changes': ({ conversation: id }) => [
    { path: `/messages/changes?conversation_id=${id}` },
    { path: `/messages/changes?conversation_id=${id}&after_seq=1&until_seq=9` },
  ],
  'GET /messages/members': ({ conversation: id }) => [{ path: `/messages/members?conversation_id=${id}` }],
  'GET /messages/revisions': ({ message: id }) => [{ path: `/messages/revisions?id=${id}` }],
  'GET /messages/pins': ({ conversation: id }) => [{ path: `/messages/pins?conversation_id=${id}` }],
  'GET /messages/receipts': ({ conversation: id }) => [{ path: `/messages/receipts?conversation_id=${id}` }],
  'GET /messages/drafts': ownThings,
  'GET /messages/search': ({ conversation: id }) => [{ path: `/messages/search?q=secret+in:${id}` }],
  'GET /users/account': 'says whether an account exists, which is public',
  'GET /users/export': ownThings,
  'POST /users/erase': ownThings,
  'GET /users/sessions': ownThings,
  'POST /users/revoke-session': ({ session: id }) => [{ path: '/users/revoke-session', body: { id } }],
};

const isFrame = (type: string): type is ClientFrameType => type in frameCases;
const namingFrames = Object.keys(frameCases)
  .filter(isFrame)
  .flatMap((type): [ClientFrameType, (ids: Identifiers) => object[]][] => {
    const payloadsOf = frameCases[type];
    return typeof payloadsOf === 'string' ? [] : [[type, payloadsOf]];
  });
const namingEndpoints = Object.entries(endpointCases).flatMap(
  ([endpoint, callsOf]): [string, (ids: Identifiers) => Call[]][] =>
    typeof callsOf === 'string' ? [] : [[endpoint, callsOf]],
);

/** Adds a query to the path of an endpoint, which may have one. */
const pathOf = (endpoint: string, query: string) =>
  endpoint + (endpoint.includes('?') ? query.replace('?', '&') : query);

const secret = 'the secret of alice and bob';

describe('data of other accounts', () => {
  let chat: ChatUnderTest;
  let stored: DatabaseState;
  let alice: ObservedUser;
  let bob: ObservedUser;
  let judy: ObservedUser;
  /** The data that judy knows of, by kind. */
  const foreign: Record<string, Identifiers> = {};

  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    stored = await DatabaseState.connect(chat.database);
    [alice, bob, judy] = [
      await ObservedUser.join(chat.instance, 'alice'),
      await ObservedUser.join(chat.instance, 'bob'),
      await ObservedUser.join(chat.instance, 'judy', ['rich', 'read-position']),
    ];
    await alice.act('request-friendship', { username: 'bob' });
    const [request] = await bob.requests();
    const sessions = await alice.user.getJson('/users/sessions', z.array(z.looseObject({ id: z.string() })));
    const common = { request: request?.id ?? '', session: sessions[0]?.id ?? '' };
    const identifiersOf = async ({ id }: Conversation, writer = alice): Promise<Identifiers> => {
      const message = await writer.user.say(id, secret);
      return { ...common, conversation: id, message: message.id };
    };
    foreign['a dm of others'] = await identifiersOf(await alice.user.open('bob', secret));
    foreign['a group of others'] = await identifiersOf(await alice.user.open(['bob', 'heidi'], secret));
    const left = await alice.user.open(['bob', 'judy'], secret);
    foreign['a group that one has left'] = await identifiersOf(left);
    const own = await identifiersOf(left, judy);
    await judy.act('leave-conversation', { conversation_id: left.id });
    foreign["a group that one has left, and one's own message there"] = own;
    const removed = await alice.user.open(['judy', 'bob'], secret);
    await alice.act('add-moderator', { conversation_id: removed.id, username: 'judy' });
    foreign['a group that one was removed from, once a moderator'] = await identifiersOf(removed);
    await alice.act('remove-member', { conversation_id: removed.id, username: 'judy' });
    foreign['a group whose creator one was'] = await identifiersOf(await handedOver());
    await Promise.all([alice.received(), bob.received(), judy.received()]);
  });
  afterAll(async () => {
    await chat.instance.close();
    await stored.close();
    await chat.stop();
  });

  /** A group that judy made and left. */
  const handedOver = async () => {
    const made = await judy.user.open(['alice', 'bob'], secret);
    await judy.act('leave-conversation', { conversation_id: made.id });
    return made;
  };
  /** Runs an attempt of judy, which must change nothing and send no events to others. */
  const unnoticed = async (attempt: () => Promise<void>) => {
    const before = await stored.fingerprints();
    await attempt();
    expect(await alice.received()).toEqual([]);
    expect(await bob.received()).toEqual([]);
    expect(await stored.fingerprints()).toEqual(before);
  };
  const errorCode = async (type: ClientFrameType, payload: object) => {
    const { code, message } = await judy.user.socket.requestError(type, payload);
    await judy.received();
    return { code, message };
  };
  const responseTo = async ({ path, body: sent }: Call) => {
    const headers = bearer(judy.user.session.token);
    const { instance } = chat;
    const response = await (sent === undefined ? instance.get(path, headers) : instance.post(path, sent, headers));
    // The id of a request is another each time.
    const body: unknown = JSON.parse((await response.text()).replace(/"requestId":"[^"]*"/, '"requestId":""'));
    return { status: response.status, body };
  };

  it('has a case for every frame and every endpoint', () => {
    expect(Object.keys(frameCases).sort()).toEqual(Object.keys(clientFrames()).sort());
    const endpoints = {
      ...interfaceTables['REST endpoints'],
      ...interfaceTables['REST endpoints beyond the document'],
    };
    expect(Object.keys(endpointCases).sort()).toEqual(Object.keys(endpoints).sort());
  });

  describe.each([
    'a dm of others',
    'a group of others',
    'a group that one has left',
    "a group that one has left, and one's own message there",
    'a group that one was removed from, once a moderator',
    'a group whose creator one was',
  ])('%s', (what) => {
    const ids = () => {
      const known = foreign[what];
      if (known === undefined) throw new Error(`there is no ${what}`);
      return known;
    };

    it.each(namingFrames)('looks nonexistent to %s', async (type, payloadsOf) => {
      await unnoticed(async () => {
        const missing = payloadsOf(notThere);
        for (const [i, payload] of payloadsOf(ids()).entries()) {
          const rejected = await errorCode(type, payload);
          expect(rejected.code).toBe('not-found');
          expect(rejected).toEqual(await errorCode(type, missing[i] ?? {}));
        }
      });
    });

    it.each(namingEndpoints)('looks nonexistent to %s', async (_endpoint, callsOf) => {
      await unnoticed(async () => {
        const missing = callsOf(notThere);
        for (const [i, call] of callsOf(ids()).entries()) {
          const responses = await responseTo(call);
          expect(responses).toEqual(await responseTo(missing[i] ?? { path: '/' }));
          // A list of several is returned without those that do not exist.
          expect(responses).toMatchObject(responses.status === 200 ? { body: [] } : { status: 404 });
        }
      });
    });
  });

  it('is in no list, whatever the query', async () => {
    await unnoticed(async () => {
      const identifiers = Object.values(foreign).flatMap((each) => [
        each.conversation,
        each.message,
        each.request,
        each.session,
      ]);
      const wanted = [
        '',
        '?username=alice',
        '?account=alice&user=alice&id=alice',
        `?conversation_id=${foreign['a dm of others']?.conversation}`,
      ];
      for (const endpoint of [
        '/users/friends',
        '/users/friend-requests',
        '/users/settings',
        '/users/channels',
        '/users/sessions',
        '/messages/conversations',
        '/messages/new',
        '/messages/search?q=secret',
      ]) {
        for (const query of wanted) {
          const response = await chat.instance.get(pathOf(endpoint, query), bearer(judy.user.session.token));
          const text = await response.text();
          expect({ endpoint, status: response.status }).toEqual({ endpoint, status: 200 });
          expect(text).not.toContain(secret);
          for (const id of identifiers) expect(text).not.toContain(id);
        }
      }
    });
  });

  it('is left out of a request for several items', async () => {
    const own = await judy.user.open(['ivan'], 'ours');
    await Promise.all([alice.received(), bob.received(), judy.received()]);
    await unnoticed(async () => {
      const ids = [...Object.values(foreign).map((each) => each.conversation), own.id, nowhere].join(',');
      const found = await judy.user.getJson(`/messages/conversation?ids=${ids}`, z.array(conversation));
      expect(found.map(({ id }) => id)).toEqual([own.id]);
    });
  });

  it('is not delivered to an account that has tried to access it', async () => {
    await judy.received();
    for (const { conversation: conversation_id } of Object.values(foreign)) {
      for (const path of [`chats?conversation_id=${conversation_id}`, `conversation?id=${conversation_id}`]) {
        await chat.instance.get(`/messages/${path}`, bearer(judy.user.session.token));
      }
      judy.user.socket.send('acknowledgment', { conversation_id });
      await alice.user.say(conversation_id, secret);
      await bob.act('acknowledgment', { conversation_id });
      await alice.act('rename-conversation', { conversation_id, name: secret });
      await alice.act('add-member', { conversation_id, username: 'grace' });
      await alice.act('add-moderator', { conversation_id, username: 'bob' });
      await alice.act('remove-member', { conversation_id, username: 'grace' });
      await bob.act('leave-conversation', { conversation_id });
    }
    expect((await judy.received()).filter(({ type }) => type !== 'error')).toEqual([]);
    expect(JSON.stringify(judy.user.socket.received('error'))).not.toContain(secret);
  });

  it('is not accessible by naming another account in `authenticate`', async () => {
    for (const username of ['alice', 'nobody-here', '']) {
      const socket = await chat.instance.openSocket();
      socket.send('authenticate', { token: judy.user.session.ws_token, username });
      expect((await socket.next('status')).payload.authenticated).toBe(username === '');
      if (username !== '') expect((await socket.closed).code).toBe(4004);
    }
  });

  it('is still accessible to its owner after another account logs out, whatever the query', async () => {
    const { token } = await chat.instance.logIn('judy');
    const logout = await chat.instance.get('/users/logout?username=alice&id=alice', bearer(token));
    expect(logout.status).toBe(204);
    expect((await chat.instance.get('/users/friends', bearer(token))).status).toBe(401);
    expect(await alice.user.conversations()).not.toEqual([]);
    expect(await judy.user.conversations()).not.toEqual([]);
  });
});
