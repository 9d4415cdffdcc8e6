import { Inject, Injectable } from '@nestjs/common';
import { accountName, type ClientPayload } from '@waggle/contracts';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { ChatError } from '../errors';
import { MessagesService } from '../messages/messages.service';
import { type FrameRequest } from '../realtime/frame-request';
import { FrameRouter } from '../realtime/frame-router';
import { ConversationsService } from './conversations.service';

/** Stands for an addressee that is no account's name: it is never the other member of a dm. */
const nobody = '';

/** Frames that write into a conversation, or begin one. */
@Injectable()
export class ConversationsFrames {
  constructor(
    router: FrameRouter,
    private readonly conversations: ConversationsService,
    private readonly messages: MessagesService,
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {
    router.on('create-conversation', (request, frame) => this.create(request, frame));
    router.on('chat-message', (request, frame) => this.write(request, frame));
  }

  private create(request: FrameRequest, { to, message }: ClientPayload<'create-conversation'>): Promise<void> {
    const { account } = request.caller;
    if (typeof to === 'string') return this.conversations.openDm(account, requireName(to), message, request);
    const members = [...new Set([account, ...to.map(requireName)])];
    const most = this.config.limits.groupMembers;
    if (members.length > most) throw new ChatError('too-large', `a group has at most ${most} members`);
    return this.conversations.createGroup(account, members, message, request);
  }

  /** Where the conversation is named the next frame is looked at while this one is stored. */
  private write(request: FrameRequest, frame: ClientPayload<'chat-message'>): void | Promise<void> {
    const { account } = request.caller;
    const { conversation_id: conversationId, message: content } = frame;
    if (conversationId === undefined) {
      return this.conversations.writeTo(account, requireName(frame.to), content, request);
    }
    // In groups and channels `to` may be of any kind and does not count; the statement knows which it is.
    const to = frame.to === undefined ? null : (accountName.safeParse(frame.to).data ?? nobody);
    request.settle(this.messages.send(account, { conversationId, to, content }, request));
  }
}

/** @throws ServiceError `account-not-found` for what cannot be the name of an account */
function requireName(name: unknown): string {
  const result = accountName.safeParse(name);
  if (result.success) return result.data;
  throw new ChatError('account-not-found', 'that is not the name of an account');
}
