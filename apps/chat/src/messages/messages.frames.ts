import { Injectable } from '@nestjs/common';
import { FrameRouter } from '../realtime/frame-router';
import { MessagesService } from './messages.service';

@Injectable()
export class MessagesFrames {
  constructor(router: FrameRouter, messages: MessagesService) {
    router.on('acknowledgment', (request, frame) =>
      messages.acknowledge(request.caller.account, frame.conversation_id, request),
    );
  }
}
