import { Injectable } from '@nestjs/common';
import { FrameRouter } from '../realtime/frame-router';
import { DeletionService } from './deletion.service';
import { MembershipService } from './membership.service';

/** What members do to a conversation, as far as their role allows. */
@Injectable()
export class MembershipFrames {
  constructor(router: FrameRouter, membership: MembershipService, deletion: DeletionService) {
    router.on('rename-conversation', (request, frame) => membership.rename(frame, request));
    router.on('leave-conversation', (request, frame) => membership.leave(frame.conversation_id, request));
    router.on('add-member', (request, frame) => membership.addMember(frame, request));
    router.on('remove-member', (request, frame) => membership.removeMember(frame, request));
    router.on('add-moderator', (request, frame) => membership.addModerator(frame, request));
    router.on('remove-moderator', (request, frame) => membership.removeModerator(frame, request));
    router.on('delete-message', (request, frame) => deletion.deleteMessage(frame.id, request));
  }
}
