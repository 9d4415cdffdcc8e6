import { Injectable } from '@nestjs/common';
import { type ClientPayload } from '@waggle/contracts';
import { type FrameRequest } from '../realtime/frame-request';
import { FrameRouter } from '../realtime/frame-router';
import { ConversationsService } from './conversations.service';

@Injectable()
export class ConversationsFrames {
  constructor(
    router: FrameRouter,
    private readonly conversations: ConversationsService,
  ) {
    router.on('create-conversation', (request, frame) => this.create(request, frame));
  }

  private create(request: FrameRequest, { to, message }: ClientPayload<'create-conversation'>): Promise<void> {
    const { account } = request.caller;
    return typeof to === 'string'
      ? this.conversations.openDm(account, to, message, request)
      : this.conversations.createGroup(account, to, message, request);
  }
}
