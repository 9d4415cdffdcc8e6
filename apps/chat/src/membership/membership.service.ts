import { Inject, Injectable } from '@nestjs/common';
import { type ClientPayload } from '@waggle/contracts';
import { Accounts } from '../accounts';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { ChatError } from '../errors';
import { type FrameRequest } from '../realtime/frame-request';
import { type ChatEvent } from '../log/entry';
import { authorizeAddition } from './authorize-additions';
import { ConversationTransactions, type Actor } from './conversation-transactions';
import { type LockedConversation } from './locked-conversation';
import { isAtLeast, outranks, type Role } from './role';

type OfMember = ClientPayload<'add-member'>;

/** Changes the members, roles and name of a conversation. The reply to each request is an event. */
@Injectable()
export class MembershipService {
  constructor(
    private readonly accounts: Accounts,
    private readonly transactions: ConversationTransactions,
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {}

  /** @throws ChatError `not-found`, `forbidden`, `account-not-found`, `conflict`, `blocked`, `friends-only`, `too-large` */
  async addMember({ conversation_id, username }: OfMember, request: FrameRequest): Promise<void> {
    await this.accounts.requireAll([username]);
    await this.transactions.changeWithPair(conversation_id, request, username, async (conversation, actor, pair) => {
      requireRole('moderator', conversation, actor);
      if (await conversation.isMember(username)) throw new ChatError('conflict', `${username} is a member already`);
      if (pair !== undefined) await authorizeAddition(conversation, actor.account, username, pair);
      const max = this.config.limits.groupMembers;
      if (conversation.type === 'group' && (await conversation.members()).length >= max) {
        throw new ChatError('too-large', `a group has at most ${max} members`);
      }
      const isNew = await conversation.add(username);
      return {
        joins: isNew ? [username] : [],
        events: [
          { type: 'conversation-created', payload: await conversation.read(username), to: [username] },
          { type: 'member-added', payload: { conversation_id, username }, to: {} },
        ],
      };
    });
  }

  /**
   * Removes a member, or from a channel any account, which cannot join it again by writing. The caller must be at least a moderator and
   * outrank the account; `permissionsIn` of the chat element repeats this rule.
   *
   * @throws ChatError `not-found`, `forbidden`
   */
  async removeMember({ conversation_id, username }: OfMember, request: FrameRequest): Promise<void> {
    await this.transactions.change(conversation_id, request, async (conversation, actor) => {
      requireRole('moderator', conversation, actor);
      if (username === actor.account) throw new ChatError('forbidden', 'leave the conversation instead');
      const role = await conversation.roleOf(username);
      if (role === 'none' && (conversation.type !== 'channel' || (await conversation.isBanned(username)))) {
        throw notAMember(username);
      }
      if (!outranks(actor.role, role)) throw new ChatError('forbidden', `a ${actor.role} cannot remove a ${role}`);
      // Otherwise an account could send events to any other one, even one that blocks it, by removing it from channels of its own.
      const isNotified = role !== 'none' || (await conversation.hasRecordOf(username));
      // Known only from the removal itself, since the account may begin to follow the channel at the same time.
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
    await this.transactions.change(conversation_id, request, async (conversation, actor) => {
      const { account } = actor;
      const removed: ChatEvent = { type: 'conversation-removed', payload: { id: conversation_id }, to: [account] };
      if (conversation.type === 'dm') {
        await conversation.hideFrom(account);
        return { events: [removed] };
      }
      if (!(await conversation.isSubscribed(account))) {
        // The account receives no entries of the channel, so the reply is an entry of its own stream.
        return { events: [], ofAccounts: [{ account, events: [removed] }] };
      }
      if (!(await conversation.isMember(account))) {
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

  /** @throws ChatError `not-found`, `forbidden`, `conflict` */
  addModerator(frame: OfMember, request: FrameRequest): Promise<void> {
    return this.setModerator(frame, true, request);
  }

  /** @throws ChatError `not-found`, `forbidden`, `conflict` */
  removeModerator(frame: OfMember, request: FrameRequest): Promise<void> {
    return this.setModerator(frame, false, request);
  }

  private setModerator(
    { conversation_id, username }: OfMember,
    isModerator: boolean,
    request: FrameRequest,
  ): Promise<void> {
    return this.transactions.change(conversation_id, request, async (conversation, actor) => {
      requireRole('creator', conversation, actor);
      if ((await conversation.roleOf(username)) === 'creator') {
        throw new ChatError('conflict', `${username} is the creator`);
      }
      if (!(await conversation.isMember(username))) throw notAMember(username);
      if ((await conversation.isAppointed(username)) === isModerator) {
        throw new ChatError(
          'conflict',
          `${username} is ${isModerator ? 'a moderator already' : 'not an appointed moderator'}`,
        );
      }
      await conversation.setModerator(username, isModerator);
      const type = isModerator ? 'moderator-added' : 'moderator-removed';
      return { events: [{ type, payload: { conversation_id, username }, to: {} }] };
    });
  }

  /** @throws ChatError `not-found`, `forbidden` */
  rename({ conversation_id, name }: ClientPayload<'rename-conversation'>, request: FrameRequest): Promise<void> {
    return this.transactions.change(conversation_id, request, async (conversation, actor) => {
      requireRole('creator', conversation, actor);
      await conversation.rename(name);
      const payload = { conversation_id, name };
      return { events: [{ type: 'conversation-renamed', payload, to: {} }] };
    });
  }
}

/**
 * `permission` in `membership.frames.ts` and `permissionsIn` of the chat element repeat the required roles.
 *
 * @throws ChatError `forbidden`
 */
function requireRole(min: Role, conversation: LockedConversation, { role }: Actor) {
  if (conversation.type === 'dm') throw new ChatError('forbidden', 'a dm has two members and no name');
  if (!isAtLeast(role, min)) throw new ChatError('forbidden', `only a ${min} may do this`);
}

function notAMember(username: string): ChatError {
  return new ChatError('not-found', `${username} is not a member`);
}
