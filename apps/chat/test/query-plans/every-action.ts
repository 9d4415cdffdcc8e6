import {
  accountName,
  capability,
  conversation,
  conversationChange,
  draft,
  extendedConversation,
  friendRequest,
  friendsList,
  mentioningMessage,
  messageRevision,
  pin,
  receipt,
  searchResults,
  sessionInfo,
  settings,
  unreadCounts,
  unreadMessage,
  type Capability,
} from '@waggle/contracts';
import { until } from '@waggle/testing';
import { z } from 'zod';
import { encodeCursor } from '../../src/lists/page';
import { parseCursor, toCursor } from '../../src/delivery/cursor';
import { bearer, type ChatUser } from '../support/chat-client';
import { type ChatSocket } from '../support/chat-socket';
import { type ChatInstance } from '../support/chat-under-test';
import { type KnownConversations } from './large-database';

/** The users and conversations of the actions. */
interface Scene {
  chat: ChatInstance;
  known: KnownConversations;
  alice: ChatUser;
  bob: ChatUser;
  carol: ChatUser;
}

const everything: Capability[] = capability.options;
const listed = z.array(z.union([extendedConversation, conversation]));

/** Performs every action of a client on alice's data in the large database. */
export async function performAllActions(chat: ChatInstance, known: KnownConversations): Promise<void> {
  const [alice, bob, carol] = await Promise.all([chat.join('alice'), chat.join('bob'), chat.join('carol')]);
  const scene = { chat, known, alice, bob, carol };
  await read(scene);
  await write(scene);
  await changeMembers(scene);
  await changeRelations(scene);
  await resumeConnections(scene);
  await endSessions(scene);
}

async function read(scene: Scene) {
  const { chat, alice, bob, known } = scene;
  await alice.getJson('/messages/conversations', listed);
  await alice.getJson('/messages/conversations?extended=true', listed);
  await alice.getJson(`/messages/conversation?ids=${known.many.join(',')}&extended=true`, listed);
  // Requesting a channel follows it.
  await alice.getJson(`/messages/conversation?ids=${known.strange.slice(0, 100).join(',')}`, listed);
  // The next pages of these lists.
  await alice.getJson(`/messages/conversations?cursor=${earlier(known.dm)}`, listed);
  await alice.getJson('/messages/new', z.array(unreadMessage));
  await alice.getJson(`/messages/new?cursor=${earlier(known.dm)}`, z.array(unreadMessage));
  await alice.getJson(`/messages/members?conversation_id=${known.large}`, z.array(accountName));
  await alice.getJson(`/messages/changes?conversation_id=${known.large}&after_seq=9000`, z.array(conversationChange));
  for (const id of [known.large, known.wiped, known.dm]) {
    const [oldest] = await alice.history(id);
    await alice.history(id, `&limit=200&before=${oldest?.timestamp ?? ''}`);
    // Sequence numbers of the first message, of the middle, and of deleted messages.
    for (const seq of [0, 60_000, 50_200]) await alice.history(id, `&limit=200&after_seq=${seq}`);
  }
  await alice.history(known.large, `&before=${Date.now() - 300 * 86_400_000}`);
  await alice.getJson('/users/friends', friendsList);
  await alice.getJson(`/users/friends?cursor=${encodeCursor([Date.now(), 'zoe', Date.now(), 'zoe'])}`, friendsList);
  await bob.getJson('/users/friend-requests', z.array(friendRequest));
  await alice.getJson('/users/channels', listed);
  await alice.getJson('/users/settings', settings);
  for (const only_from_friends of [true, false]) {
    await alice.postJson('/users/settings', { dm: { only_from_friends } }, settings);
  }
  await chat.get('/health/ready');
  await exportUntil(scene, undefined, '"type":"conversation"');
  await exportUntil(scene, encodeCursor(['conversation', known.large, 50_000, '', '']), '"type":"conversation"');
}

/** Reads an export until it has a text. */
async function exportUntil({ chat, alice }: Scene, after: string | undefined, text: string) {
  await until(async () => {
    const query = after === undefined ? '' : `?after=${after}`;
    const response = await chat.get(`/users/export${query}`, bearer(alice.session.token));
    // The export before this one may not have ended yet.
    if (!response.ok) return false;
    let received = '';
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      received += piece;
      if (received.includes(text)) return true;
    }
    throw new Error(`the export does not have ${text}`);
  });
}

/** Returns the cursor of a page that begins ten days ago. */
function earlier(conversationId: string): string {
  return encodeCursor([Date.now() - 10 * 86_400_000, conversationId]);
}

async function write({ chat, alice, bob, carol, known }: Scene) {
  for (const id of [known.large, known.group]) await alice.say(id, 'hello');
  // Messages that wait for each other are stored in one statement.
  await Promise.all(known.many.map((id) => alice.say(id, 'to many')));
  const reading = await requestAllCapabilities(chat, alice);
  for (const id of [known.dm, known.large]) {
    const position = { conversation_id: id, seq: 50_010 };
    await reading.request('acknowledgment', position, 'read-position');
    const preferences = { conversation_id: id, muted: true };
    await reading.request('set-conversation-preferences', preferences, 'conversation-preferences-changed');
  }
  await alice.socket.request('acknowledgment', { conversation_id: known.dm }, 'acknowledged');
  const dm = await alice.open('bob');
  await alice.open('bob');
  await bob.socket.request('leave-conversation', { conversation_id: dm.id }, 'conversation-removed');
  const said = await alice.say(dm.id, 'come back');
  await alice.socket.request('delete-message', { id: said.id }, 'message-deleted');
  const { id: edited } = await reading.request(
    'chat-message',
    { conversation_id: known.large, message: '@bob, frist', reply_to: (await alice.history(known.large)).at(-1)?.id },
    'chat-message',
  );
  await reading.request('edit-message', { id: edited, message: '@carol, first' }, 'message-edited');
  for (const type of ['add-reaction', 'remove-reaction'] as const)
    await reading.request(type, { id: edited, emoji: '🐝' }, 'reactions-changed');
  const { id: pinned } = (await alice.history(known.dm)).at(-1) ?? {};
  for (const type of ['pin-message', 'unpin-message', 'pin-message'] as const)
    await reading.request(type, { id: pinned }, 'pins-changed');
  const written = { conversation_id: known.dm, text: 'not finished', reply_to: pinned };
  for (const text of ['first', '']) await reading.request('set-draft', { ...written, text }, 'draft-changed');
  await alice.getJson('/messages/drafts', z.array(draft));
  await reading.request('mark-unread', { id: pinned }, 'read-position');
  await alice.getJson(`/messages/receipts?conversation_id=${known.group}`, z.array(receipt));
  await alice.getJson(`/messages/pins?conversation_id=${known.dm}`, z.array(pin));
  await alice.extendedHistory(known.large, `&around=${edited}`);
  await alice.getJson('/messages/search?q=number+conversation', searchResults);
  await alice.getJson(`/messages/search?q=number+in:${known.large}`, searchResults);
  await alice.getJson(`/messages/revisions?id=${edited}`, z.array(messageRevision));
  await alice.getJson('/messages/mentions', z.array(mentioningMessage));
  await alice.getJson('/messages/unread-counts', unreadCounts);
  // Writing to a channel joins it.
  const channel = await alice.createChannel('Bees');
  await carol.say(channel.id, 'hello');

  const marking = await requestAllCapabilities(chat, carol);
  const group = { to: ['alice', 'bob'], message: 'hello', client_id: `group-${channel.id}` };
  for (let times = 0; times < 2; times += 1) {
    const { id } = await marking.request('create-conversation', group, 'conversation-created');
    const message = { conversation_id: id, message: 'hello', client_id: 'only once' };
    await marking.request('chat-message', message, 'chat-message');
  }
}

async function changeMembers({ alice, bob, carol, known }: Scene) {
  const { id: conversation_id } = await alice.open(['bob']);
  const ofCarol = { conversation_id, username: 'carol' };
  await alice.socket.request('rename-conversation', { conversation_id, name: 'Bees' }, 'conversation-renamed');
  await alice.socket.request('add-member', ofCarol, 'member-added');
  await carol.say(conversation_id, 'hello');
  await alice.socket.request('add-moderator', ofCarol, 'moderator-added');
  await alice.socket.request('remove-moderator', ofCarol, 'moderator-removed');
  await alice.socket.request('remove-member', ofCarol, 'member-removed');
  await alice.socket.request('leave-conversation', { conversation_id }, 'conversation-removed');
  const [followed] = known.strange;
  await bob.conversation(followed ?? '');
  await bob.socket.request('leave-conversation', { conversation_id: followed }, 'conversation-removed');
  // Each request follows half of the channels. The second one ends the subscriptions of the first.
  for (let requests = 0; requests < 2; requests += 1)
    await bob.getJson(`/messages/conversation?ids=${known.strange.slice(0, 100).join(',')}`, listed);
}

async function changeRelations({ alice, bob }: Scene) {
  const ask = () => alice.socket.request('request-friendship', { username: 'bob' }, 'friendship-requested');
  await bob.socket.request('reject-friendship', { id: (await ask()).id }, 'friendship-rejected');
  await bob.socket.request('accept-friendship', { id: (await ask()).id }, 'friendship-accepted');
  await alice.socket.request('remove-friendship', { username: 'bob' }, 'friendship-removed');
  await alice.socket.request('block-user', { username: 'bob' }, 'user-blocked');
  await alice.socket.request('unblock-user', { username: 'bob' }, 'user-unblocked');
}

/** Resumes after a minute and after half a day. */
async function resumeConnections({ chat, alice }: Scene) {
  for (const awayMs of [60_000, 12 * 3_600_000]) {
    const first = await chat.openSocket();
    first.send('authenticate', { token: alice.session.token, capabilities: everything });
    const { cursor = '' } = (await first.next('status')).payload;
    const resume = toCursor(new Date(Date.now() - awayMs), parseCursor(cursor)?.timeline);
    const socket = await chat.openSocket();
    socket.send('authenticate', { token: alice.session.token, capabilities: everything, resume });
    await socket.next('resume-complete');
  }
}

async function endSessions({ chat, alice }: Scene) {
  const another = await chat.logIn('alice');
  await chat.get('/users/refresh-token', bearer(another.refresh_token));
  const sessions = await alice.getJson('/users/sessions', z.array(sessionInfo));
  const latest = sessions.find(({ current }) => !current);
  await alice.postJson('/users/revoke-session', { id: latest?.id }, z.object({ success: z.literal(true) }));
  await chat.get('/users/logout', bearer(alice.session.token));
  await alice.socket.closed;
}

async function requestAllCapabilities(chat: ChatInstance, user: ChatUser): Promise<ChatSocket> {
  const socket = await chat.openSocket();
  await socket.request('authenticate', { token: user.session.token, capabilities: everything }, 'status');
  return socket;
}
