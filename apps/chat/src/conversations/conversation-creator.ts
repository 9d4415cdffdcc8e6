import { Inject, Injectable } from '@nestjs/common';
import { newIdentifier } from '@waggle/service';
import { type ClientBase } from 'pg';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { ChatError } from '../errors';
import { appendChangeAt } from '../log/append-changes';
import { appendMessages } from '../log/append-messages';
import { Changes } from '../delivery/changes';
import { authorizeMessage } from '../messages/authorize-messages';
import { newMessage, refused, type MessageContent } from '../messages/send-result';
import { type FrameRequest } from '../realtime/frame-request';
import { authorizeAdditions } from '../relations/additions';
import { LockedPair } from '../relations/locked-pair';
import { type ChangeEntry, type ChatEvent } from '../log/entry';
import { readConversation } from '../membership/conversation-rows';
import { placeOfCreation } from './conversations.statements';
import { ConversationsStore } from './conversations.store';

/** Makes conversations and tells their members: a message that another member adds at once is told after the first one. */
@Injectable()
export class ConversationCreator {
  constructor(
    private readonly changes: Changes,
    private readonly store: ConversationsStore,
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {}

  /** Returns the members of a new group in their order: the invited accounts, then the creator. @throws ChatError `too-large` */
  membersOf(creator: string, invited: readonly string[]): string[] {
    const others = new Set(invited);
    others.delete(creator);
    const members = [...others, creator];
    const max = this.config.limits.groupMembers;
    if (members.length > max) throw new ChatError('too-large', `a group has at most ${max} members`);
    return members;
  }

  /**
   * A dm with its first message.
   * @returns false where the pair has one already; then nothing is stored
   * @throws ServiceError `blocked`, `friends-only`
   */
  async createDm(creator: string, other: string, first: MessageContent, cause: FrameRequest): Promise<boolean> {
    const id = newIdentifier();
    const entries = await this.changes.commit(cause, async (client) => {
      const pair = await LockedPair.lock(client, creator, other);
      if (!(await this.store.insert(client, { id, type: 'dm', creator, other }))) return [];
      await pair.markDm();
      return begin(client, id, creator, first);
    });
    return entries.length > 0;
  }

  /**
   * A group with its first message.
   * @returns false where the creator has made one with the same mark; then nothing is stored
   * @throws ServiceError `blocked`, `friends-only`, naming the member
   */
  async createGroup(
    creator: string,
    members: readonly string[],
    first: MessageContent,
    cause: FrameRequest,
  ): Promise<boolean> {
    const id = newIdentifier();
    const entries = await this.changes.commit(cause, async (client) => {
      await authorizeAdditions(client, creator, members);
      const { clientId } = first;
      if (!(await this.store.insert(client, { id, type: 'group', creator, members, clientId }))) return [];
      return begin(client, id, creator, first);
    });
    return entries.length > 0;
  }

  /** A channel, which begins without a message. @returns its id */
  async createChannel(creator: string, name: string): Promise<string> {
    const id = newIdentifier();
    await this.changes.commit(undefined, async (client) => {
      const entries = await storeChannel(client, this.store, { id, creator, name });
      if (entries === undefined) throw new Error('a new identifier that is taken');
      return entries;
    });
    return id;
  }
}

/** A channel about to be stored. */
export type NewChannel = Record<'id' | 'name' | 'creator', string>;

/** @returns the entries that announce the channel to its creator; undefined if its id is taken, then nothing is stored */
export async function storeChannel(
  client: ClientBase,
  store: ConversationsStore,
  { id, name, creator }: NewChannel,
): Promise<ChangeEntry[] | undefined> {
  if (!(await store.insert(client, { id, type: 'channel', creator, name }))) return undefined;
  return announce(client, id, creator);
}

/** Appends the first entries of a new conversation: its announcement, and a message that is authorized like any other. */
async function begin(client: ClientBase, conversationId: string, creator: string, first: MessageContent) {
  const message = newMessage(creator, { conversationId, ...first });
  const permission = await authorizeMessage(client, message);
  if (typeof permission === 'string') throw refused(permission);
  const { recipient, seq: authorizedSeq } = permission;
  const [entry] = await appendMessages(client, [{ ...message, recipient, authorizedSeq }]);
  if (entry === undefined) throw new Error('a new conversation that somebody has changed');
  return [...(await announce(client, conversationId, creator)), entry];
}

/** Appends the first entry of a new conversation, which announces it to its members. */
async function announce(client: ClientBase, id: string, creator: string): Promise<ChangeEntry[]> {
  const conversation = await readConversation(client, id, creator);
  const { members } = conversation;
  const events: ChatEvent[] = [{ type: 'conversation-created', payload: conversation, to: members }];
  return appendChangeAt(client, {
    stream: id,
    seq: placeOfCreation,
    events,
    joins: members,
    leaves: [],
    subscriptions: [],
  });
}
