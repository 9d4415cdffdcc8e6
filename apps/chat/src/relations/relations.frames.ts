import { Injectable } from '@nestjs/common';
import { FrameRouter } from '../realtime/frame-router';
import { BlocksService } from './blocks.service';
import { FriendshipsService } from './friendships.service';

/** What accounts are to one another. */
@Injectable()
export class RelationsFrames {
  constructor(router: FrameRouter, friendships: FriendshipsService, blocks: BlocksService) {
    router.on('request-friendship', (request, frame) => friendships.request(frame.username, request));
    router.on('accept-friendship', (request, frame) => friendships.accept(frame.id, request));
    router.on('reject-friendship', (request, frame) => friendships.reject(frame.id, request));
    router.on('remove-friendship', (request, frame) => friendships.remove(frame.username, request));
    router.on('block-user', (request, frame) => blocks.block(frame.username, request));
    router.on('unblock-user', (request, frame) => blocks.unblock(frame.username, request));
  }
}
