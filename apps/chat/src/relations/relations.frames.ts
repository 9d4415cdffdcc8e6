import { frame, type Frames, type Resolve } from '../realtime/frame-definition';
import { RelationsService } from './relations.service';

const relations = (resolve: Resolve) => resolve(RelationsService);

/** Frames that change friendships and blocks. Part of `clientFrameDefinitions` (client-frames.ts). */
export const relationsFrames = {
  'request-friendship': frame(relations, {
    price: 'change',
    summary: 'Requests a friendship. If the other account has requested it before, both become friends.',
    permission: 'any authenticated user, unless one of the two blocks the other',
    replies: ['friendship-requested', 'friendship-accepted'],
    eventsToOthers: [],
    errors: ['forbidden', 'account-not-found', 'blocked', 'conflict'],
    handle: (service, request, payload) => service.requestFriendship(payload.username, request),
  }),
  'accept-friendship': frame(relations, {
    price: 'change',
    summary: 'Accepts a friend request.',
    permission: 'the account that received the request',
    replies: ['friendship-accepted'],
    eventsToOthers: [],
    errors: ['not-found'],
    handle: (service, request, payload) => service.acceptRequest(payload.id, request),
  }),
  'reject-friendship': frame(relations, {
    price: 'change',
    summary: 'Rejects a friend request, or withdraws one of the sender.',
    permission: 'the account that received the request, and the one that sent it',
    replies: ['friendship-rejected'],
    eventsToOthers: [],
    errors: ['not-found'],
    handle: (service, request, payload) => service.rejectRequest(payload.id, request),
  }),
  'remove-friendship': frame(relations, {
    price: 'change',
    summary: 'Ends a friendship.',
    permission: 'either account',
    replies: ['friendship-removed'],
    eventsToOthers: [],
    errors: ['not-found', 'account-not-found'],
    handle: (service, request, payload) => service.removeFriend(payload.username, request),
  }),
  'block-user': frame(relations, {
    price: 'change',
    summary:
      'Blocks an account: neither can send the other direct messages or friend requests. Ends a friendship (both receive `friendship-removed`) and a pending request (both receive `friendship-rejected`).',
    permission: 'any authenticated user',
    replies: ['user-blocked', 'friendship-removed', 'friendship-rejected'],
    eventsToOthers: [],
    errors: ['forbidden', 'account-not-found', 'conflict'],
    handle: (service, request, payload) => service.block(payload.username, request),
  }),
  'unblock-user': frame(relations, {
    price: 'change',
    summary: 'Removes a block.',
    permission: 'the account that blocks',
    replies: ['user-unblocked'],
    eventsToOthers: [],
    errors: ['not-found', 'account-not-found'],
    handle: (service, request, payload) => service.unblock(payload.username, request),
  }),
} satisfies Partial<Frames>;
