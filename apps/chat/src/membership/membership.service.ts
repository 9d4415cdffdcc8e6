import { Inject, Injectable } from '@nestjs/common';
import { type ClientPayload, type ServerPayload } from '@waggle/contracts';
import { Accounts } from '../accounts';
import { CONVERSATION_SETTINGS, type ConversationSettings } from './conversation-settings';
import { ChatError } from '../errors';
import { type FrameRequest } from '../realtime/frame-request';
import { type ChatEvent } from '../log/entry';
import { authorizeAdditions } from './authorize-additions';
import { ConversationTransactions } from './conversation-transactions';
import { isAtLeast, type LockedConversation, type Role } from './locked-conversation';

type OfMember = ClientPayload<'add-member'>;

/** Changes the members, roles and name of a conversation. The reply to each request is an event. */
@Injectable()
export class MembershipService {
  constructor(
    private readonly accounts: Accounts,
    private readonly transactions: ConversationTransactions,
    @Inject(CONVERSATION_SETTINGS) private readonly settings: ConversationSettings,
  ) {}

  /**
   * Adds an account to a group or channel. The caller must be at least a moderator.
   *
   * @throws ChatError `not-found`, `forbidden`, `account-not-found`, `conflict`, `blocked`, `friends-only`, `too-large`
   */
  async addMember({ conversation_id, username }: OfMember, request: FrameRequest): Promise<void> {
    await this.accounts.requireAll([username]);
    await this.transactions.changeWithPair(conversation_id, request, username, async (conversation, role, pair) => {
      requireRole('moderator', conversation, role);
      const record = await conversation.recordOf(username);
      if (record?.status === 'member') throw new ChatError('conflict', `${username} is a member already`);
      // Without a pair, the caller adds itself.
      if (pair !== undefined) {
        await authorizeAdditions(conversation.client, request.account, [username]);
        if (record?.has_left === true && !(await pair.areFriends())) {
          throw new ChatError('forbidden', `${username} has left; only a friend may add them again`);
        }
      }
      await this.requireRoom(conversation);
      const beginsSubscription = await conversation.add(username);
      return {
        joins: beginsSubscription ? [username] : [],
        events: [
          { type: 'conversation-created', payload: await conversation.read(username), to: [username] },
          { type: 'member-added', payload: { conversation_id, username }, to: {} },
        ],
      };
    });
  }

  /**
   * Removes a member, or from a channel any account, which cannot join it again by writing. The caller must be at least
   * a moderator and outrank the account; `permissionsIn` of the chat element repeats this rule.
   *
   * @throws ChatError `not-found`, `forbidden`
   */
  async removeMember({ conversation_id, username }: OfMember, request: FrameRequest): Promise<void> {
    await this.transactions.change(conversation_id, request, async (conversation, callerRole) => {
      requireRole('moderator', conversation, callerRole);
      if (username === request.account) throw new ChatError('forbidden', 'leave the conversation instead');
      const record = await conversation.recordOf(username);
      const role = conversation.roleOf(username, record);
      if (role === 'none' && (conversation.type !== 'channel' || record?.status === 'banned'))
        throw notAMember(username);
      if (isAtLeast(role, callerRole)) throw new ChatError('forbidden', `a ${callerRole} cannot remove a ${role}`);
      // An account without a record is not notified. Otherwise the caller could send events to any account, even one
      // that blocks it, by removing it from a channel of its own.
      const isNotified = role !== 'none' || record !== undefined;
      // Only the removal itself can say so: the account may begin to follow the channel at the same time.
      const wasSubscribed = await conversation.remove(username);
      const removed: ChatEvent = { type: 'conversation-removed', payload: { id: conversation_id }, to: [username] };
      const payload = { conversation_id, username };
      return {
        leaves: wasSubscribed ? [username] : [],
        events: [...(wasSubscribed ? [removed] : []), { type: 'member-removed', payload, to: { except: username } }],
        ofAccounts: wasSubscribed || !isNotified ? [] : [{ account: username, events: [removed] }],
      };
    });
  }

  /** Leaves a group or channel; hides a dm until the next message. @throws ChatError `not-found` */
  async leave(conversation_id: string, request: FrameRequest): Promise<void> {
    const { account } = request;
    await this.transactions.change(conversation_id, request, async (conversation) => {
      const removed: ChatEvent = { type: 'conversation-removed', payload: { id: conversation_id }, to: [account] };
      if (conversation.type === 'dm') {
        await conversation.hideFrom(account);
        return { events: [removed] };
      }
      const record = await conversation.recordOf(account);
      if (record?.is_subscribed !== true) {
        // The account receives no entries of the channel, so the reply is an entry of its own stream.
        return { events: [], ofAccounts: [{ account, events: [removed] }] };
      }
      if (record.status !== 'member') {
        await conversation.unfollow(account);
        return { events: [removed], leaves: [account] };
      }
      await conversation.leave(account);
      const left: ChatEvent = {
        type: 'member-left',
        payload: { conversation_id, member: account },
        to: { except: account },
      };
      return { events: [removed, left], leaves: [account] };
    });
  }

  /**
   * Sets what the caller wants of a conversation. The event is an entry of the caller, for all its devices. If nothing
   * changes, only this connection gets a reply. @throws ChatError `not-found`
   */
  async setPreferences(
    { conversation_id, ...preferences }: ClientPayload<'set-conversation-preferences'>,
    request: FrameRequest,
  ): Promise<void> {
    const { account } = request;
    let unchanged: ServerPayload<'conversation-preferences-changed'> | undefined;
    await this.transactions.change(conversation_id, request, async (conversation) => {
      const { muted, favourite, is_changed } = await conversation.setPreferences(account, preferences);
      const payload = { conversation_id, muted, favourite };
      if (!is_changed) unchanged = payload;
      const changed: ChatEvent = { type: 'conversation-preferences-changed', payload, to: [account] };
      return { events: [], ofAccounts: is_changed ? [{ account, events: [changed] }] : [] };
    });
    if (unchanged !== undefined) request.reply('conversation-preferences-changed', unchanged);
  }

  /**
   * Appoints or dismisses a moderator. The caller must be the creator.
   *
   * @throws ChatError `not-found`, `forbidden`, `conflict`
   */
  setModerator({ conversation_id, username }: OfMember, isModerator: boolean, request: FrameRequest): Promise<void> {
    return this.transactions.change(conversation_id, request, async (conversation, role) => {
      requireRole('creator', conversation, role);
      const record = await conversation.recordOf(username);
      if (conversation.roleOf(username, record) === 'creator') {
        throw new ChatError('conflict', `${username} is the creator`);
      }
      if (record?.status !== 'member') throw notAMember(username);
      if (record.is_moderator === isModerator) {
        const state = isModerator ? 'a moderator already' : 'not an appointed moderator';
        throw new ChatError('conflict', `${username} is ${state}`);
      }
      await conversation.setModerator(username, isModerator);
      const type = isModerator ? 'moderator-added' : 'moderator-removed';
      return { events: [{ type, payload: { conversation_id, username }, to: {} }] };
    });
  }

  /** Gives a conversation another name. The caller must be the creator. @throws ChatError `not-found`, `forbidden` */
  rename({ conversation_id, name }: ClientPayload<'rename-conversation'>, request: FrameRequest): Promise<void> {
    return this.transactions.change(conversation_id, request, async (conversation, role) => {
      requireRole('creator', conversation, role);
      await conversation.rename(name);
      const payload = { conversation_id, name };
      return { events: [{ type: 'conversation-renamed', payload, to: {} }] };
    });
  }

  /** @throws ChatError `too-large` if a group has no room for another member */
  private async requireRoom(conversation: LockedConversation): Promise<void> {
    if (conversation.type !== 'group') return;
    const max = this.settings.limits.groupMembers;
    if ((await conversation.members()).length >= max) {
      throw new ChatError('too-large', `a group has at most ${max} members`);
    }
  }
}

/**
 * Requires the role `min` or a higher one, in a group or channel.
 *
 * `permission` in `membership.frames.ts` and `permissionsIn` of the chat element repeat the required roles.
 *
 * @throws ChatError `forbidden`
 */
function requireRole(min: Role, conversation: LockedConversation, role: Role): void {
  if (conversation.type === 'dm') throw new ChatError('forbidden', 'a dm has two members and no name');
  if (!isAtLeast(role, min)) throw new ChatError('forbidden', `only a ${min} may do this`);
}

function notAMember(username: string): ChatError {
  return new ChatError('not-found', `${username} is not a member`);
}
