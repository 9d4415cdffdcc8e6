import { ChatUser } from '../support/chat-client';
import { ChatUnderTest, type ChatInstance } from '../support/chat-under-test';

/** How instances of a deployment receive each other's entries. */
const ways: [string, () => Promise<ChatUnderTest>][] = [
  ['over Redis', () => ChatUnderTest.startWithRedis()],
  // Only through the database, as if every bus message were lost.
  ['while every bus message is lost', () => ChatUnderTest.start()],
];

describe.each(ways)('between instances, %s', (_how, start) => {
  let chat: ChatUnderTest;
  let here: ChatInstance;
  let there: ChatInstance;
  let alice: ChatUser;
  let bob: ChatUser;
  let carol: ChatUser;
  beforeAll(async () => {
    chat = await start();
    here = chat.instance;
    there = await chat.addInstance();
    alice = await here.join('alice');
    [bob, carol] = [await there.join('bob'), await there.join('carol')];
  });
  afterAll(() => chat.stop());

  const contentsFrom = (user: ChatUser, id: string) =>
    user.socket.received('chat-message').flatMap((each) => (each.conversation_id === id ? [each.content] : []));

  it('messages reach every member once and in order from both instances', async () => {
    const { id } = await alice.open(['bob', 'carol']);
    await Promise.all([bob, carol].map(({ socket }) => socket.next('conversation-created', (each) => each.id === id)));
    const writers = [alice, bob, carol];
    await Promise.all(
      writers.flatMap((user) => Array.from({ length: 20 }, (_, n) => user.say(id, `${user.account} ${n}`))),
    );
    await alice.say(id, 'the last');
    for (const { socket } of [bob, carol]) await socket.next('chat-message', ({ content }) => content === 'the last');
    const stored = (await alice.wholeHistory(id)).map(({ content }) => content);
    expect(stored).toHaveLength(62);
    for (const user of writers) expect(contentsFrom(user, id)).toEqual(stored);
  });

  it('a change is delivered in order among the messages', async () => {
    const { id } = await alice.open(['bob', 'carol']);
    await bob.socket.next('conversation-created', (each) => each.id === id);
    await alice.say(id, 'one');
    await alice.socket.request('rename-conversation', { conversation_id: id, name: 'Bees' }, 'conversation-renamed');
    await alice.socket.request('remove-member', { conversation_id: id, username: 'carol' }, 'member-removed');
    await alice.say(id, 'two');
    await bob.socket.next('chat-message', ({ content }) => content === 'two');
    const ofThis = bob.socket.frames.filter(
      ({ payload }) => 'conversation_id' in payload && payload.conversation_id === id,
    );
    expect(ofThis.map(({ type }) => type)).toEqual([
      'chat-message',
      'chat-message',
      'conversation-renamed',
      'member-removed',
      'chat-message',
    ]);
    await carol.socket.next('conversation-removed', (each) => each.id === id);
    expect(contentsFrom(carol, id)).toEqual(['hello', 'one']);
  });

  it('an added account receives entries even if the only other local subscriber was removed just before', async () => {
    const { id } = await bob.open(['alice', 'dave']);
    await alice.socket.next('conversation-created', (each) => each.id === id);
    const carolHere = await here.join('carol');
    bob.socket.send('remove-member', { conversation_id: id, username: 'alice' });
    bob.socket.send('add-member', { conversation_id: id, username: 'carol' });
    await carolHere.socket.next('conversation-created', (each) => each.id === id);
    for (const text of ['one', 'two']) {
      await bob.say(id, text);
      await carolHere.socket.next('chat-message', ({ content }) => content === text);
    }
    expect(contentsFrom(carolHere, id)).toEqual(['one', 'two']);
  });

  it('an added account receives later entries, and a removed one does not', async () => {
    const { id } = await alice.open(['bob']);
    await alice.socket.request('add-member', { conversation_id: id, username: 'carol' }, 'member-added');
    await carol.socket.next('conversation-created', (each) => each.id === id);
    await alice.say(id, 'welcome');
    await carol.socket.next('chat-message', ({ content }) => content === 'welcome');
    expect(contentsFrom(carol, id)).toEqual(['welcome']);
    expect((await carol.say(id, 'thank you')).content).toBe('thank you');
    await alice.socket.next('chat-message', ({ content }) => content === 'thank you');
  });

  it('an account that writes before its instance knows the conversation gets one reply, in order', async () => {
    const { id } = await alice.open(['bob', 'carol']);
    for (const content of ['one', 'two']) await bob.say(id, content);
    await alice.say(id, 'three');
    await bob.socket.next('chat-message', ({ content }) => content === 'three');
    const ofThis = bob.socket.frames.filter(
      ({ type, payload }) =>
        ('conversation_id' in payload && payload.conversation_id === id) ||
        (type === 'conversation-created' && payload.id === id),
    );
    expect(ofThis.map(({ type }) => type)).toEqual(['conversation-created', ...Array<string>(4).fill('chat-message')]);
    expect(contentsFrom(bob, id)).toEqual(['hello', 'one', 'two', 'three']);
  });

  it("friends receive each other's events", async () => {
    const { id } = await alice.socket.request('request-friendship', { username: 'bob' }, 'friendship-requested');
    await bob.socket.next('friendship-requested', (each) => each.id === id);
    await bob.socket.request('accept-friendship', { id }, 'friendship-accepted');
    await alice.socket.next('friendship-accepted', (each) => each.id === id);
    await alice.socket.request('remove-friendship', { username: 'bob' }, 'friendship-removed');
    await bob.socket.next('friendship-removed');
  });

  it('a channel that was requested at one instance is delivered at the other', async () => {
    const { id } = await alice.createChannel('Bees');
    // Over REST at the instance without a socket of bob.
    await new ChatUser(here, bob.session, bob.socket).conversation(id);
    await alice.say(id, 'buzz');
    await bob.socket.next('chat-message', ({ content }) => content === 'buzz');
  });
});
