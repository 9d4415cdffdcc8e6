import { extendedConversation, type Capability } from '@waggle/contracts';
import { type ChatSocket } from '../support/chat-socket';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';

const rich: readonly Capability[] = ['rich', 'sync'];

describe('what an account sets for a conversation', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  let bob: ChatUser;
  let ofBob: ChatSocket;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    [alice, bob] = [await chat.instance.join('alice'), await chat.instance.join('bob')];
    ofBob = await bob.connect(rich);
  });
  afterAll(() => chat.stop());

  const set = (conversation_id: string, preferences: object) =>
    ofBob.request(
      'set-conversation-preferences',
      { conversation_id, ...preferences },
      'conversation-preferences-changed',
    );
  const fetched = (user: ChatUser, id: string) =>
    user.getJson(`/messages/conversation?id=${id}&extended=true`, extendedConversation);
  const neither = { muted: false, favourite: false };

  it.each(['dm', 'group', 'followed channel', 'unknown channel'])(
    'is kept for the account alone, for a %s',
    async (kind) => {
      const id = kind.endsWith('channel')
        ? (await alice.createChannel('Bees')).id
        : (await alice.open(kind === 'dm' ? 'bob' : ['bob'])).id;
      if (kind !== 'unknown channel') expect(await fetched(bob, id)).toMatchObject(neither);
      expect(await set(id, { muted: true })).toEqual({ conversation_id: id, muted: true, favourite: false });
      expect(await set(id, { favourite: true })).toEqual({ conversation_id: id, muted: true, favourite: true });
      expect(await fetched(bob, id)).toMatchObject({ muted: true, favourite: true });
      expect(await fetched(alice, id)).toMatchObject(neither);
      expect(await bob.conversation(id)).not.toHaveProperty('muted');
      expect(await set(id, neither)).toMatchObject(neither);
    },
  );

  it('reaches the other devices, also after an absence, and no client that does not ask for it', async () => {
    const { id } = await alice.open(['bob']);
    const away = await chat.instance.openSocket();
    away.send('authenticate', { token: bob.session.token, capabilities: rich });
    const { cursor } = (await away.next('status')).payload;
    await away.close();
    const here = await bob.connect(rich);
    const changed = await set(id, { muted: true });
    expect(
      (await here.next('conversation-preferences-changed', (payload) => payload.conversation_id === id)).payload,
    ).toEqual(changed);
    // A repetition changes nothing, and only its connection gets a reply.
    expect(await set(id, { muted: true })).toEqual(changed);
    const again = await chat.instance.openSocket();
    again.send('authenticate', { token: bob.session.token, capabilities: rich, resume: cursor });
    await again.next('resume-complete');
    const ofConversation = ({ conversation_id }: { conversation_id: string }) => conversation_id === id;
    for (const socket of [again, here])
      expect(socket.received('conversation-preferences-changed').filter(ofConversation)).toEqual([changed]);
    await alice.say(id, 'after');
    await bob.socket.next('chat-message', ({ content }) => content === 'after');
    expect(bob.socket.received('conversation-preferences-changed')).toEqual([]);
    const { code } = await bob.socket.requestError('set-conversation-preferences', {
      conversation_id: id,
      muted: true,
    });
    expect(code).toBe('unknown-type');
  });

  it('is reset when the account leaves, but not when it hides a dm', async () => {
    const [group, dm] = [await alice.open(['bob', 'carol']), await alice.open('bob')];
    for (const { id } of [group, dm]) {
      await set(id, { muted: true, favourite: true });
      await bob.socket.request('leave-conversation', { conversation_id: id }, 'conversation-removed');
    }
    await alice.say(dm.id, 'again');
    expect(await fetched(bob, dm.id)).toMatchObject({ muted: true, favourite: true });
    await alice.socket.request('request-friendship', { username: 'bob' }, 'friendship-requested');
    await bob.socket.request('request-friendship', { username: 'alice' }, 'friendship-accepted');
    await alice.socket.request('add-member', { conversation_id: group.id, username: 'bob' }, 'member-added');
    expect(await fetched(bob, group.id)).toMatchObject(neither);
  });

  it.each([{ muted: 'yes' }, { favourite: 1 }, { muted: [] }])('must be truth values, not %j', async (preferences) => {
    const { id } = await alice.open(['bob']);
    const payload = { conversation_id: id, ...preferences };
    expect((await ofBob.requestError('set-conversation-preferences', payload)).code).toBe('invalid-frame');
    expect(await fetched(bob, id)).toMatchObject(neither);
  });
});
