import { settings, type Attachment, type Capability } from '@waggle/contracts';
import { type ChatUser } from './chat-client';
import { type ChatSocket } from './chat-socket';
import { type ThreeUsers } from './three-users';

export const allowedHosts = { messages: { attachmentHosts: ['images.example'] } };

const image: Attachment = {
  url: 'https://images.example/hive.jpg',
  name: 'hive.jpg',
  media_type: 'image/jpeg',
  bytes: 1_000,
  width: 10,
  height: 10,
};

/** Every capability that the actions need. */
export const rich: readonly Capability[] = ['rich', 'sync', 'client-id', 'read-position'];

/** Conversations where alice has something of everything that the service stores about an account. */
export interface WholeAccount {
  dm: string;
  group: string;
  /** Its creator is alice. */
  channel: string;
  /** Alice only reads it. */
  followed: string;
  left: string;
  /** A channel that alice was removed from. */
  banned: string;
  /** A channel of alice without other members. */
  alone: string;
  /** A message of bob in the group, and a reply of bob to a message of alice. */
  ofBob: string;
  reply: string;
}

/**
 * Lets alice, bob and carol do everything that is stored about alice. Each text of alice contains `nectar`, each of
 * others `pollen`.
 */
export async function fillAccount(
  { alice, bob, carol, ofAlice, ofBob }: ThreeUsers,
  frank: ChatUser,
): Promise<WholeAccount> {
  const { id: dm } = await alice.open('bob', 'nectar for bob');
  const first = await say(ofAlice, dm, 'nectar', { client_id: 'key-of-nectar', attachments: [image] });
  await ofAlice.request('edit-message', { id: first.id, message: 'edited nectar' }, 'message-edited');
  const ofBobInDm = await say(ofBob, dm, 'pollen for @alice', { reply_to: first.id });
  await ofAlice.request('add-reaction', { id: ofBobInDm.id, emoji: '🐝' }, 'reactions-changed');
  await ofAlice.request('pin-message', { id: ofBobInDm.id }, 'pins-changed');
  await ofBob.request('pin-message', { id: first.id }, 'pins-changed');

  const { id: group } = await alice.open(['bob', 'carol'], 'nectar for all');
  const said = await say(ofAlice, group, 'nectar for @bob');
  await ofBob.request('add-reaction', { id: said.id, emoji: '🍯' }, 'reactions-changed');
  const ofBobInGroup = await say(ofBob, group, 'pollen for @alice and @carol', { reply_to: said.id });
  await ofAlice.request('add-reaction', { id: ofBobInGroup.id, emoji: '🌻' }, 'reactions-changed');
  await bob
    .connect(rich)
    .then((socket) => socket.request('add-reaction', { id: ofBobInGroup.id, emoji: '🌻' }, 'reactions-changed'));
  await ofAlice.request('pin-message', { id: ofBobInGroup.id }, 'pins-changed');
  const deleted = await say(ofAlice, group, 'withdrawn nectar', { reply_to: ofBobInGroup.id });
  await ofAlice.request('delete-message', { id: deleted.id }, 'message-deleted');
  await ofAlice.request('rename-conversation', { conversation_id: group, name: 'Bees' }, 'conversation-renamed');
  await ofAlice.request('acknowledgment', { conversation_id: group }, 'acknowledged');
  const preferences = { conversation_id: group, muted: true, favourite: true };
  await ofAlice.request('set-conversation-preferences', preferences, 'conversation-preferences-changed');
  const draft = { conversation_id: group, text: 'unsent nectar', reply_to: ofBobInGroup.id };
  await ofAlice.request('set-draft', draft, 'draft-changed');

  const { id: channel } = await alice.createChannel('Flowers');
  await say(ofAlice, channel, 'nectar for everybody');
  await say(ofBob, channel, 'pollen in the channel');
  const { id: followed } = await carol.createChannel('Pollen');
  await alice.conversation(followed);
  const { id: left } = await carol.open(['alice', 'bob'], 'pollen');
  await say(ofAlice, left, 'nectar before she leaves');
  await ofAlice.request('leave-conversation', { conversation_id: left }, 'conversation-removed');
  const later = { conversation_id: left, name: 'pollen after she left' };
  await carol.socket.request('rename-conversation', later, 'conversation-renamed');

  const { id: banned } = await carol.createChannel('Pollen only');
  await say(ofAlice, banned, 'nectar');
  const removal = { conversation_id: banned, username: 'alice' };
  await carol.socket.request('remove-member', removal, 'member-removed');
  const { id: alone } = await alice.createChannel('Alone');

  await ofAlice.request('request-friendship', { username: 'bob' }, 'friendship-requested');
  await ofBob.request('request-friendship', { username: 'alice' }, 'friendship-accepted');
  await ofAlice.request('request-friendship', { username: 'dave' }, 'friendship-requested');
  await carol.socket.request('request-friendship', { username: 'alice' }, 'friendship-requested');
  await ofAlice.request('block-user', { username: 'erin' }, 'user-blocked');
  await frank.socket.request('block-user', { username: 'alice' }, 'user-blocked');
  await alice.postJson('/users/settings', { dm: { only_from_friends: false } }, settings);
  return { dm, group, channel, followed, left, banned, alone, ofBob: ofBobInGroup.id, reply: ofBobInDm.id };
}

function say(socket: ChatSocket, conversation_id: string, message: string, more: object = {}) {
  return socket.request('chat-message', { conversation_id, message, ...more }, 'chat-message');
}
