import { type Random } from '@waggle/testing';
import { type LibraryClient } from './clients/library-client';

/** A conversation of the run. */
export interface Conversation {
  id: string;
  kind: 'dm' | 'group' | 'channel';
  /** Who writes. */
  writers: readonly LibraryClient[];
  /** Who hears it: the writers, and those who only follow a channel. */
  hearers: readonly LibraryClient[];
}

/** A group has so many members; there is one for so many clients. */
const groupMembers = 8;
const clientsPerGroup = 5;

/** A channel has so many members, and as many who only follow it; there is one for so many clients. */
const channelWriters = 10;
const clientsPerChannel = 40;

const firstText = 'begin';

/** Each client has a dm with the next one; some are in groups and channels. Resolves when all conversations are there. */
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
    ...channels.map((hearers, index) => beginChannel(`channel ${index + 1}`, hearers)),
  ]);
}

async function beginDm(one: LibraryClient, other: LibraryClient): Promise<Conversation> {
  const { conversation_id: id } = await one.sendTo(other.account, firstText);
  return { id, kind: 'dm', writers: [one, other], hearers: [one, other] };
}

async function beginGroup(members: readonly LibraryClient[]): Promise<Conversation> {
  const [creator, ...others] = members;
  if (creator === undefined) throw new RangeError('a group of nobody');
  const { conversation } = await creator.createGroup(
    others.map(({ account }) => account),
    firstText,
  );
  return { id: conversation.id, kind: 'group', writers: members, hearers: members };
}

/** Half of the hearers join it by writing; the others follow it. */
async function beginChannel(name: string, hearers: readonly LibraryClient[]): Promise<Conversation> {
  const writers = hearers.slice(0, Math.ceil(hearers.length / 2));
  const [creator] = writers;
  if (creator === undefined) throw new RangeError('a channel of nobody');
  const id = await creator.createChannel(name);
  await Promise.all(
    hearers.map((hearer) => (writers.includes(hearer) ? hearer.send(id, firstText) : hearer.follow(id))),
  );
  return { id, kind: 'channel', writers, hearers };
}
