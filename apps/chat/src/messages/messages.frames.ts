import { Injectable } from '@nestjs/common';
import { type ClientPayload } from '@waggle/contracts';
import { type FrameRequest } from '../realtime/frame-request';
import { FrameRouter } from '../realtime/frame-router';
import { Dms } from './dms';
import { MessagesService } from './messages.service';
import { noSuchConversation } from './not-found';

@Injectable()
export class MessagesFrames {
  constructor(
    router: FrameRouter,
    private readonly dms: Dms,
    private readonly messages: MessagesService,
  ) {
    router.on('chat-message', (request, frame) => this.send(request, frame));
    router.on('acknowledgment', (request, frame) =>
      this.messages.acknowledge(request.caller.account, frame.conversation_id, request),
    );
  }

  /** Needs no turn of the event loop where the conversation is named: the next frame is looked at while this one is stored. */
  private send(
    request: FrameRequest,
    { conversation_id, to, message }: ClientPayload<'chat-message'>,
  ): void | Promise<void> {
    const { account } = request.caller;
    const addressee = typeof to === 'string' ? to : null;
    const store = (conversationId: string) => {
      request.settle(this.messages.send(account, { conversationId, to: addressee, content: message }, request));
    };
    if (conversation_id === undefined) return this.getDmId(account, addressee ?? '').then(store);
    store(conversation_id);
  }

  private async getDmId(account: string, other: string): Promise<string> {
    const id = await this.dms.findId(account, other);
    if (id === undefined) throw noSuchConversation();
    return id;
  }
}
