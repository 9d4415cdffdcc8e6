import { Injectable } from '@nestjs/common';
import { newIdentifier } from '@waggle/service';
import { type ClientBase } from 'pg';
import { appendMessages } from '../messages/append-messages';
import { Changes } from '../messages/changes';
import { judgeMessages } from '../messages/judge-messages';
import { newMessage, toPlaceless, type NewMessage } from '../messages/new-message';
import { refused } from '../messages/refusals';
import { type FrameRequest } from '../realtime/frame-request';
import { authorizeAdditions } from '../relations/additions';
import { LockedPair } from '../relations/locked-pair';
import { type ChangeEntry, type ChatEvent } from '../streams/entry';
import { storeEntries } from '../streams/streams.store';
import { readConversation } from './conversation-rows';
import { ConversationsStore, placeOfCreation } from './conversations.store';

/** What a conversation begins with. */
export type FirstMessage = Pick<NewMessage, 'content' | 'clientId'>;

/** Makes conversations and tells their members: a message that another member adds at once is told after the first one. */
@Injectable()
export class ConversationCreator {
  constructor(
    private readonly changes: Changes,
    private readonly store: ConversationsStore,
  ) {}

  /**
   * A dm with its first message.
   * @returns false where the pair has one already; then nothing is stored
   * @throws ServiceError `blocked`, `friends-only`
   */
  async createDm(creator: string, other: string, first: FirstMessage, cause: FrameRequest): Promise<boolean> {
    const id = newIdentifier();
    const told = await this.changes.enter(cause, async (client) => {
      const pair = await LockedPair.lock(client, creator, other);
      if (!(await this.store.insert(client, { id, type: 'dm', creator, other }))) return [];
      await pair.markDm();
      return begin(client, id, creator, first);
    });
    return told.length > 0;
  }

  /**
   * A group with its first message.
   * @returns false where the creator has made one with the same mark; then nothing is stored
   * @throws ServiceError `blocked`, `friends-only`, naming the member
   */
  async createGroup(
    creator: string,
    members: readonly string[],
    first: FirstMessage,
    cause: FrameRequest,
  ): Promise<boolean> {
    const id = newIdentifier();
    const told = await this.changes.enter(cause, async (client) => {
      await authorizeAdditions(client, creator, members);
      const { clientId } = first;
      if (!(await this.store.insert(client, { id, type: 'group', creator, members, clientId }))) return [];
      return begin(client, id, creator, first);
    });
    return told.length > 0;
  }

  /** A channel, which begins without a message. @returns its id */
  async createChannel(creator: string, name: string): Promise<string> {
    const id = newIdentifier();
    await this.changes.enter(undefined, async (client) => {
      const entry = await storeChannel(client, this.store, { id, creator, name });
      if (entry === undefined) throw new Error('a new identifier that is taken');
      return [entry];
    });
    return id;
  }
}

/** A channel about to be stored. */
export type NewChannel = Record<'id' | 'name' | 'creator', string>;

/** @returns the entry by which the creator hears of the channel; undefined if its id is taken, then nothing is stored */
export async function storeChannel(
  client: ClientBase,
  store: ConversationsStore,
  { id, name, creator }: NewChannel,
): Promise<ChangeEntry | undefined> {
  if (!(await store.insert(client, { id, type: 'channel', creator, name }))) return undefined;
  return tellOf(client, id, creator);
}

/** The first message of a new conversation, which judges it like any other. */
async function begin(client: ClientBase, conversationId: string, creator: string, first: FirstMessage) {
  const message = newMessage(creator, { conversationId, ...first });
  const [judgement] = await judgeMessages(client, [message]);
  if (judgement === undefined) throw new Error('a message without an outcome');
  if (!('seq' in judgement)) throw refused(judgement.outcome);
  const [entry] = await appendMessages(client, [toPlaceless(message, judgement)]);
  if (entry === undefined) throw new Error('a new conversation that somebody has changed');
  return [await tellOf(client, conversationId, creator), entry];
}

/** The first entry of a new conversation, by which its members hear of it. */
async function tellOf(client: ClientBase, id: string, creator: string): Promise<ChangeEntry> {
  const conversation = await readConversation(client, id, creator);
  const { members } = conversation;
  const told: ChatEvent[] = [{ type: 'conversation-created', payload: conversation, to: members }];
  const entry = { stream: id, seq: placeOfCreation, told, joins: members, leaves: [] };
  await storeEntries(client, [entry]);
  return entry;
}
