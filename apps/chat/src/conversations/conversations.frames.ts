import { Inject, Injectable } from '@nestjs/common';
import { accountName, clientIdentifier, type ClientPayload } from '@waggle/contracts';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { ChatError } from '../errors';
import { MessagesService } from '../messages/messages.service';
import { type FrameRequest } from '../realtime/frame-request';
import { FrameRouter } from '../realtime/frame-router';
import { ConversationsService } from './conversations.service';

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

  private create(request: FrameRequest, frame: ClientPayload<'create-conversation'>): Promise<void> {
    const { account } = request.caller;
    const { to } = frame;
    const first = { content: frame.message, clientId: clientIdOf(request, frame) };
    if (typeof to === 'string') return this.conversations.openDm(account, requireName(to), first, request);
    const listed = new Set(to.map(requireName));
    listed.delete(account);
    const members = [...listed, account];
    const most = this.config.limits.groupMembers;
    if (members.length > most) throw new ChatError('too-large', `a group has at most ${most} members`);
    return this.conversations.createGroup(account, members, first, request);
  }

  /** If the frame names the conversation, `to` is ignored and the next frame is handled while this message is stored. */
  private write(request: FrameRequest, frame: ClientPayload<'chat-message'>): void | Promise<void> {
    const { account } = request.caller;
    const { conversation_id: conversationId, message: content } = frame;
    const clientId = clientIdOf(request, frame);
    if (conversationId === undefined) {
      return this.conversations.writeTo(account, requireName(frame.to), { content, clientId }, request);
    }
    request.settle(this.messages.send(account, { conversationId, content, clientId }, request));
  }
}

/** The client's own mark on a message, where its connection has asked for that. @throws ServiceError `invalid-frame` */
function clientIdOf({ connection }: FrameRequest, { client_id }: { client_id?: unknown }): string | null {
  if (client_id === undefined || !connection.has('client-id')) return null;
  const result = clientIdentifier.safeParse(client_id);
  if (result.success) return result.data;
  throw new ChatError('invalid-frame', 'client_id: must be a text of 1 to 64 characters, without NUL');
}

/** @throws ServiceError `account-not-found` for what cannot be the name of an account */
function requireName(name: unknown): string {
  const result = accountName.safeParse(name);
  if (result.success) return result.data;
  throw new ChatError('account-not-found', 'that is not the name of an account');
}
