// `RECORD=true npx jest recorded-exchanges` writes recorded-exchanges.json: only for a change that documented clients
// may notice.
import path from 'node:path';
import { devnetKeys } from '@waggle/devnet';
import { type AnyServerFrame } from '../support/chat-socket';
import { ChatUnderTest } from '../support/chat-under-test';
import { loginPath } from '../support/login-path';
import { RecordedSession } from './recorded-session';

const nowhere = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** The id in the payload of the first frame of the type. */
function idIn(frames: readonly AnyServerFrame[], type: AnyServerFrame['type']): string {
  const payload = frames.find((frame) => frame.type === type)?.payload;
  if (payload === undefined || !('id' in payload)) throw new Error(`no ${type} in ${JSON.stringify(frames)}`);
  return payload.id;
}

let chat: ChatUnderTest;
beforeAll(async () => {
  chat = await ChatUnderTest.start({ admins: ['judy'] });
});
afterAll(() => chat.stop());

it('documented clients exchange with the chat what was recorded', async () => {
  const session = RecordedSession.of(chat.instance);

  // Log-in and session.
  const [alice, bob, carol] = [await session.logIn('alice'), await session.logIn('bob'), await session.logIn('carol')];
  await session.logIn('judy');
  const [page, asBob, asCarol] = [session.asPage(alice), session.as(bob), session.as(carol)];
  await session.request({ path: loginPath('alice', { wif: devnetKeys('bob').posting.wif }) });
  await session.request({ path: loginPath('alice', { ts: '1700000000000' }) });
  await session.request({ path: loginPath('nobody-here', { wif: devnetKeys('bob').posting.wif }) });
  await session.request({ path: '/users/login?username=alice' });
  for (const path of ['/users/verify', '/users/refresh-token', '/messages/new', '/users/nothing']) {
    await session.request({ path });
    await page(path);
    await asBob(path);
  }
  await session.request({
    path: '/users/refresh-token',
    by: 'bob, refresh token',
    headers: { Authorization: `Bearer ${bob.refresh_token}` },
  });

  // What a new account has, and settings.
  for (const path of [
    '/users/friends',
    '/users/friend-requests',
    '/users/settings',
    '/users/channels',
    '/messages/conversations',
  ]) {
    await page(path);
    await asBob(path);
  }
  await page('/users/settings', { dm: { only_from_friends: true } });
  await page('/users/settings', { dm: { only_from_friends: false } });
  await asBob('/users/settings', { dm: { only_from_friends: 'yes' } });

  // Connections.
  await session.open('stranger');
  await session.send('stranger', 'request-friendship', { username: 'alice' });
  await session.ending('stranger', (socket) => socket.close());
  await session.open('alice', { Cookie: `access_token=${alice.token}`, Origin: 'https://app.example' });
  await session.open('bob');
  await session.open('carol');
  await session.send('alice', 'authenticate');
  await session.send('bob', 'authenticate', { token: bob.ws_token });
  await session.send('carol', 'authenticate', { token: carol.token, username: 'carol' });
  for (const text of ['hello', '[]', '{"type":"chat-message"}', '{"payload":{}}']) await session.sendRaw('bob', text);
  await session.send('bob', 'unknown', {});

  // Friendships.
  const requested = idIn(
    await session.send('alice', 'request-friendship', { username: 'bob' }),
    'friendship-requested',
  );
  await session.send('alice', 'request-friendship', { username: 'bob' });
  await session.send('alice', 'request-friendship', { username: 'alice' });
  await session.send('alice', 'request-friendship', { username: 'nobody-here' });
  await asBob('/users/friend-requests');
  await session.send('bob', 'accept-friendship', { id: requested });
  await session.send('bob', 'accept-friendship', { id: requested });
  const rejected = idIn(
    await session.send('carol', 'request-friendship', { username: 'alice' }),
    'friendship-requested',
  );
  await session.send('alice', 'reject-friendship', { id: rejected });
  await page('/users/friends');
  await session.send('bob', 'block-user', { username: 'alice' });
  await asBob('/users/friends');
  await session.send('bob', 'unblock-user', { username: 'alice' });
  await session.send('alice', 'request-friendship', { username: 'carol' });
  const again = idIn(await session.send('alice', 'request-friendship', { username: 'bob' }), 'friendship-requested');
  await session.send('bob', 'accept-friendship', { id: again });
  await session.send('bob', 'remove-friendship', { username: 'alice' });
  await session.send('bob', 'remove-friendship', { username: 'alice' });
  await page('/users/friends');

  // A direct conversation.
  const dm = idIn(
    await session.send('alice', 'create-conversation', { to: 'bob', message: 'hello bob' }),
    'conversation-created',
  );
  await session.send('alice', 'create-conversation', { to: 'bob', message: 'hello again' });
  await session.send('alice', 'create-conversation', { to: 'nobody-here', message: 'hello' });
  await session.send('alice', 'create-conversation', { to: 'bob' });
  await asBob('/messages/new');
  const said = idIn(
    await session.send('bob', 'chat-message', { conversation_id: dm, to: 'alice', message: 'Grüße, <b>alice</b> 🐝' }),
    'chat-message',
  );
  await session.send('alice', 'chat-message', { conversation_id: dm, to: 'bob', message: 'one\n\ttwo' });
  await session.send('alice', 'chat-message', { conversation_id: dm, to: 'bob', message: '  ' });
  await session.send('alice', 'chat-message', { conversation_id: dm, to: 'bob', message: 'x'.repeat(4_001) });
  await session.send('carol', 'chat-message', { conversation_id: dm, to: 'bob', message: 'me too' });
  await session.send('carol', 'chat-message', { conversation_id: nowhere, to: null, message: 'anybody?' });
  await session.send('bob', 'acknowledgment', { conversation_id: dm });
  await asBob('/messages/new');
  await session.send('alice', 'delete-message', { id: said });
  await session.send('bob', 'delete-message', { id: said });
  for (const query of ['', '&limit=1', '&limit=2&before=4102444800000', '&limit=0', '&before=x']) {
    await page(`/messages/chats?conversation_id=${dm}${query}`);
  }
  await asCarol(`/messages/chats?conversation_id=${dm}`);
  await asCarol('/messages/chats');
  await page('/messages/conversations');

  // A group.
  const group = idIn(
    await session.send('alice', 'create-conversation', { to: ['bob', 'carol'], message: 'hello all' }),
    'conversation-created',
  );
  await page(`/messages/conversation?id=${group}`);
  await page(`/messages/conversation?ids=${dm},${group},${nowhere}`);
  await page(`/messages/conversation?id=${nowhere}`);
  await page('/messages/conversation');
  await session.send('alice', 'rename-conversation', { conversation_id: group, name: 'Bees' });
  await session.send('bob', 'rename-conversation', { conversation_id: group, name: 'Wasps' });
  await session.send('alice', 'rename-conversation', { conversation_id: dm, name: 'Two' });
  await session.send('alice', 'rename-conversation', { conversation_id: group, name: '' });
  await session.send('alice', 'add-moderator', { conversation_id: group, username: 'bob' });
  await session.send('carol', 'add-moderator', { conversation_id: group, username: 'carol' });
  await session.send('bob', 'add-member', { conversation_id: group, username: 'dave' });
  await session.send('bob', 'add-member', { conversation_id: group, username: 'dave' });
  await session.send('carol', 'add-member', { conversation_id: group, username: 'erin' });
  await session.send('alice', 'add-member', { conversation_id: dm, username: 'carol' });
  await session.send('bob', 'remove-member', { conversation_id: group, username: 'dave' });
  await session.send('carol', 'remove-member', { conversation_id: group, username: 'bob' });
  const ofCarol = idIn(
    await session.send('carol', 'chat-message', { conversation_id: group, to: null, message: 'hello from carol' }),
    'chat-message',
  );
  await session.send('bob', 'delete-message', { id: ofCarol });
  await session.send('alice', 'remove-moderator', { conversation_id: group, username: 'bob' });
  await session.send('bob', 'remove-moderator', { conversation_id: group, username: 'alice' });
  await session.send('carol', 'leave-conversation', { conversation_id: group });
  await session.send('carol', 'leave-conversation', { conversation_id: group });
  await session.send('carol', 'chat-message', { conversation_id: group, to: null, message: 'and now?' });
  await session.send('alice', 'acknowledgment', { conversation_id: group });
  await page('/messages/conversations');
  await asCarol('/messages/conversations');

  // A channel.
  const created = await page('/users/channels', { name: 'Hive' });
  const channel: unknown = Reflect.get(Object(await created.json()), 'id');
  await page('/users/channels', { name: '' });
  await page('/users/channels', {});
  await asBob('/users/channels');
  await page('/users/channels');
  await asBob(`/messages/conversation?id=${String(channel)}`);
  await session.send('alice', 'add-member', { conversation_id: channel, username: 'carol' });
  await session.send('alice', 'chat-message', { conversation_id: channel, to: null, message: 'to all' });
  await session.send('bob', 'chat-message', { conversation_id: channel, to: null, message: 'to all, from bob' });
  await session.send('carol', 'leave-conversation', { conversation_id: channel });
  await session.send('alice', 'leave-conversation', { conversation_id: channel });
  await asBob(`/messages/chats?conversation_id=${String(channel)}`);

  // Only from friends, and blocked.
  await asBob('/users/settings', { dm: { only_from_friends: true } });
  await session.send('carol', 'create-conversation', { to: 'bob', message: 'hello' });
  await session.send('alice', 'chat-message', { conversation_id: dm, to: 'bob', message: 'still there?' });
  await page('/messages/conversations');
  await asBob('/users/settings', { dm: { only_from_friends: false } });
  await session.send('bob', 'block-user', { username: 'alice' });
  await session.send('alice', 'chat-message', { conversation_id: dm, to: 'bob', message: 'are you?' });
  await asBob(`/messages/conversation?id=${dm}`);

  // The end.
  await session.open('stale');
  await session.ending('stale', (socket) => {
    socket.send('authenticate', { token: 'rubbish' });
  });
  await session.ending('alice', () => page('/users/logout'));
  await page('/users/verify');
  await session.ending('carol', () => asCarol('/users/logout'));

  const { now, recorded } = session.comparedWith(path.join(__dirname, 'recorded-exchanges.json'));
  expect(now).toEqual(recorded);
});
