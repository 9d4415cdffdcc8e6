import { Injectable } from '@nestjs/common';
import { FrameRouter } from '../realtime/frame-router';
import { MessagesService } from './messages.service';
import { Typing } from './typing';

@Injectable()
export class MessagesFrames {
  constructor(router: FrameRouter, messages: MessagesService, typing: Typing) {
    router.on('acknowledgment', (request, frame) =>
      messages.acknowledge(request.caller.account, frame.conversation_id, request),
    );
    router.on('typing', (request, frame) => typing.broadcast(frame, request));
  }
}
