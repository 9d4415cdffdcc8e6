import { type Random } from '@waggle/testing';
import { type LibraryClient } from './clients/library-client';

export interface Conversation {
  id: string;
  kind: 'dm' | 'group' | 'channel';
  writers: readonly LibraryClient[];
  /** The writers, and the followers of a channel. */
  subscribers: readonly LibraryClient[];
}

const groupMembers = 8;
const clientsPerGroup = 5;

/** A channel also has as many followers. */
const channelWriters = 10;
const clientsPerChannel = 40;

const firstText = 'begin';

/** Creates a dm of each client with the next one, and groups and channels of some clients. */
export async function beginConversations(clients: readonly LibraryClient[], random: Random): Promise<Conversation[]> {
  const groups = Array.from({ length: Math.ceil(clients.length / clientsPerGroup) }, () =>
    random.sample(clients, groupMembers),
  );
  const channels = Array.from({ length: Math.ceil(clients.length / clientsPerChannel) }, () =>
    random.sample(clients, 2 * channelWriters),
  );
  return await Promise.all([
    ...clients.map((client, index) => beginDm(client, clients[(index + 1) % clients.length] ?? client)),
    ...groups.map((members) => beginGroup(members)),
    ...channels.map((subscribers, index) => beginChannel(`channel ${index + 1}`, subscribers)),
  ]);
}

async function beginDm(one: LibraryClient, other: LibraryClient): Promise<Conversation> {
  const { conversation_id: id } = await one.sendTo(other.account, firstText);
  return { id, kind: 'dm', writers: [one, other], subscribers: [one, other] };
}

async function beginGroup(members: readonly LibraryClient[]): Promise<Conversation> {
  const [creator, ...others] = members;
  if (creator === undefined) throw new RangeError('a group without members');
  const { conversation } = await creator.createGroup(
    others.map(({ account }) => account),
    firstText,
  );
  return { id: conversation.id, kind: 'group', writers: members, subscribers: members };
}

/** Half of the subscribers join the channel by writing; the others follow it. */
async function beginChannel(name: string, subscribers: readonly LibraryClient[]): Promise<Conversation> {
  const writers = subscribers.slice(0, Math.ceil(subscribers.length / 2));
  const [creator] = writers;
  if (creator === undefined) throw new RangeError('a channel without members');
  const id = await creator.createChannel(name);
  await Promise.all(
    subscribers.map((subscriber) =>
      writers.includes(subscriber) ? subscriber.send(id, firstText) : subscriber.follow(id),
    ),
  );
  return { id, kind: 'channel', writers, subscribers };
}
