import { Inject, Injectable } from '@nestjs/common';
import { newIdentifier } from '@waggle/service';
import { type ClientBase } from 'pg';
import { Accounts } from '../accounts';
import { CONVERSATION_SETTINGS, type ConversationSettings } from '../membership/conversation-settings';
import { ChangeTransactions } from '../delivery/change-transactions';
import { ChatError } from '../errors';
import { appendEntries } from '../log/append-changes';
import { appendMessages, newMessage, type MessageContent } from '../log/append-messages';
import { eventsOf, type ChangeEntry, type ChatEvent, type Entry } from '../log/entry';
import { LogStore } from '../log/log.store';
import { authorizeAdditions } from '../membership/authorize-additions';
import { readConversation } from '../membership/conversation-rows';
import { authorizeMessage } from '../messages/authorize-messages';
import { type FrameRequest } from '../realtime/frame-request';
import { LockedPair } from '../relations/locked-pair';
import { creationSeq, NewConversationsStore } from './new-conversations.store';

/** The outcome of `createDmIfAbsent`: whether the call created the dm, and otherwise its id. */
export type DmCreation = { isNew: true } | { isNew: false; id: string };

/** The outcome of `createGroupIfAbsent`: whether the call created the group, and otherwise its first entry. */
type GroupCreation = { isNew: true } | { isNew: false; firstEntry: Entry };

/**
 * Creates conversations. A dm or group is created in one transaction with its first message, which precedes all others.
 */
@Injectable()
export class ConversationCreation {
  constructor(
    private readonly accounts: Accounts,
    private readonly changeTransactions: ChangeTransactions,
    private readonly store: NewConversationsStore,
    private readonly log: LogStore,
    @Inject(CONVERSATION_SETTINGS) private readonly settings: ConversationSettings,
  ) {}

  /** Returns the id of the dm of two accounts, if they have one. @throws ChatError `forbidden` */
  async findDm(creator: string, other: string): Promise<string | undefined> {
    if (creator === other) throw new ChatError('forbidden', 'a dm has two members');
    return this.store.findDmId(creator, other);
  }

  /**
   * Creates the dm of the caller and another account with a first message, unless a concurrent request of either
   * account creates it. Call `findDm` first: it rejects a dm with oneself.
   *
   * @throws ServiceError `account-not-found` if the chain has no such account; `blocked` if one of the two blocks the
   * other; `friends-only` if the other takes direct messages from friends only; `unavailable`
   */
  async createDmIfAbsent(other: string, first: MessageContent, origin: FrameRequest): Promise<DmCreation> {
    const creator = origin.account;
    await this.accounts.requireAll([other]);
    const id = newIdentifier();
    const entries = await this.changeTransactions.commit(origin, async (client) => {
      const pair = await LockedPair.lock(client, creator, other);
      const isInserted = await this.store.insert(client, { id, type: 'dm', creator, other });
      // The dm exists already, so there is nothing to append.
      if (!isInserted) return [];
      // One of the two may have blocked the other before they had a dm.
      await pair.updateDmBlocked();
      return appendFirstEntries(client, id, creator, first);
    });
    const isNew = entries.length > 0;
    if (isNew) return { isNew };
    const existingId = await this.store.findDmId(creator, other);
    if (existingId === undefined) throw new Error('an existing dm was not found');
    return { isNew, id: existingId };
  }

  /**
   * Creates a group of the caller with a first message, unless the caller already created it with the same idempotency
   * key.
   *
   * @throws ServiceError `too-large` if the group has too many members; `account-not-found`, `blocked` or
   * `friends-only`, which name the member that cannot be added; `conflict` if another group has the key; `unavailable`
   */
  async createGroupIfAbsent(
    invited: readonly string[],
    first: MessageContent,
    origin: FrameRequest,
  ): Promise<GroupCreation> {
    const creator = origin.account;
    const members = this.groupMembers(creator, invited);
    const existing = await this.findFirstEntry(creator, members, first);
    if (existing !== undefined) return { isNew: false, firstEntry: existing };
    await this.accounts.requireAll(members);
    const id = newIdentifier();
    const entries = await this.changeTransactions.commit(origin, async (client) => {
      await authorizeAdditions(client, creator, members);
      const { clientId } = first;
      const isInserted = await this.store.insert(client, { id, type: 'group', creator, members, clientId });
      // A concurrent repetition of the request created the group, so there is nothing to append.
      if (!isInserted) return [];
      return appendFirstEntries(client, id, creator, first);
    });
    const isNew = entries.length > 0;
    if (isNew) return { isNew };
    const firstEntry = await this.findFirstEntry(creator, members, first);
    if (firstEntry === undefined) throw new Error('an existing group was not found');
    return { isNew, firstEntry };
  }

  /**
   * Creates a channel, which has no first message.
   *
   * @returns its id
   * @throws ChatError `invalid-request` if the name is too long
   */
  async createChannel(creator: string, name: string): Promise<string> {
    const max = this.settings.limits.nameCharacters;
    if (Array.from(name).length > max) {
      throw new ChatError('invalid-request', `name: must have at most ${max} characters`);
    }
    const id = newIdentifier();
    await this.changeTransactions.commit(undefined, async (client) => {
      const entries = await storeChannel(client, this.store, { id, creator, name });
      if (entries === undefined) throw new Error('a new identifier is in use');
      return entries;
    });
    return id;
  }

  /**
   * Returns the members of a new group in their order: the invited accounts, then the creator.
   *
   * @throws ChatError `too-large` if they are too many
   */
  private groupMembers(creator: string, invited: readonly string[]): string[] {
    const others = new Set(invited);
    others.delete(creator);
    const members = [...others, creator];
    const max = this.settings.limits.groupMembers;
    if (members.length > max) throw new ChatError('too-large', `a group has at most ${max} members`);
    return members;
  }

  /**
   * Returns the first entry of the group that the creator created with the idempotency key of a message.
   *
   * @throws ChatError `conflict` if that group has other members
   */
  private async findFirstEntry(
    creator: string,
    members: readonly string[],
    { clientId }: MessageContent,
  ): Promise<Entry | undefined> {
    const id = clientId === null ? undefined : await this.store.findByClientId(creator, clientId);
    if (id === undefined) return undefined;
    const beforeCreation = creationSeq - 1;
    const [firstEntry] = await this.log.findEntries([{ stream: id, seq: beforeCreation }], 1);
    if (firstEntry?.seq !== creationSeq) throw new Error('a group without a first entry');
    if (!isCreationOf(members, firstEntry))
      throw new ChatError('conflict', 'another group was created with this client_id');
    return firstEntry;
  }
}

/** A channel to store. */
export type NewChannel = Record<'id' | 'name' | 'creator', string>;

/**
 * Stores a channel and appends the entries that announce it to its creator. `createChannelWithId`, a command that runs
 * without services, calls it too.
 *
 * @returns the entries; undefined if the id is in use, in which case nothing is stored
 */
export async function storeChannel(
  client: ClientBase,
  store: NewConversationsStore,
  { id, name, creator }: NewChannel,
): Promise<ChangeEntry[] | undefined> {
  if (!(await store.insert(client, { id, type: 'channel', creator, name }))) return undefined;
  return appendCreation(client, id, creator);
}

/**
 * Appends the first entries of a new conversation: its creation, and a message that is authorized like any other.
 *
 * @throws ChatError as `authorizeMessage`
 */
async function appendFirstEntries(
  client: ClientBase,
  conversationId: string,
  creator: string,
  first: MessageContent,
): Promise<Entry[]> {
  const message = newMessage(creator, conversationId, first);
  const { recipient, seq: authorizedSeq } = await authorizeMessage(client, message);
  // Before the creation, whose event then has the `updated_at` of the conversation with the message. The message gets
  // the second sequence number: a conversation is stored with the first one taken, for its creation.
  const [entry] = await appendMessages(client, [{ ...message, recipient, authorizedSeq }]);
  if (entry === undefined) throw new Error('the first message of a new conversation was not stored');
  return [...(await appendCreation(client, conversationId, creator)), entry];
}

/** Appends the first entry of a new conversation, `conversation-created`. */
async function appendCreation(client: ClientBase, id: string, creator: string): Promise<ChangeEntry[]> {
  const conversation = await readConversation(client, id, creator);
  const { members } = conversation;
  const events: ChatEvent[] = [{ type: 'conversation-created', payload: conversation, to: members }];
  return appendEntries(client, [
    { stream: id, seq: creationSeq, events, joins: members, leaves: [], subscriptions: [] },
  ]);
}

/** Returns whether a group was created with these members, in any order. */
function isCreationOf(members: readonly string[], creation: Entry): boolean {
  const [event] = eventsOf(creation);
  if (event?.type !== 'conversation-created') return false;
  return event.payload.members.toSorted().join(' ') === members.toSorted().join(' ');
}
