import { frame, type Frames, type Resolve } from '../realtime/frame';
import { BlocksService } from './blocks.service';
import { FriendshipsService } from './friendships.service';

const friendships = (resolve: Resolve) => resolve(FriendshipsService);
const blocks = (resolve: Resolve) => resolve(BlocksService);

/** What accounts are to one another. */
export const relationsFrames = {
  'request-friendship': frame(friendships, {
    price: 'change',
    summary: 'Asks an account for friendship. Where that account has asked before, both are friends.',
    permission: 'any authenticated user; not where one of the two blocks the other',
    replies: ['friendship-requested', 'friendship-accepted'],
    otherEvents: [],
    errors: ['forbidden', 'account-not-found', 'blocked', 'conflict'],
    handle: (service, request, payload) => service.request(payload.username, request),
  }),
  'accept-friendship': frame(friendships, {
    price: 'change',
    summary: 'Accepts a friend request.',
    permission: 'the account that was asked',
    replies: ['friendship-accepted'],
    otherEvents: [],
    errors: ['not-found'],
    handle: (service, request, payload) => service.accept(payload.id, request),
  }),
  'reject-friendship': frame(friendships, {
    price: 'change',
    summary: 'Rejects a friend request, or takes back one’s own.',
    permission: 'the account that was asked, and the one that asked',
    replies: ['friendship-rejected'],
    otherEvents: [],
    errors: ['not-found'],
    handle: (service, request, payload) => service.reject(payload.id, request),
  }),
  'remove-friendship': frame(friendships, {
    price: 'change',
    summary: 'Ends a friendship.',
    permission: 'either of the two',
    replies: ['friendship-removed'],
    otherEvents: [],
    errors: ['not-found', 'account-not-found'],
    handle: (service, request, payload) => service.remove(payload.username, request),
  }),
  'block-user': frame(blocks, {
    price: 'change',
    summary:
      'Blocks an account: no dm and no friend request either way. Ends a friendship, of which both hear `friendship-removed`, and a pending request, of which both hear `friendship-rejected`.',
    permission: 'any authenticated user',
    replies: ['user-blocked', 'friendship-removed', 'friendship-rejected'],
    otherEvents: [],
    errors: ['forbidden', 'account-not-found', 'conflict'],
    handle: (service, request, payload) => service.block(payload.username, request),
  }),
  'unblock-user': frame(blocks, {
    price: 'change',
    summary: 'Takes back a block.',
    permission: 'the account that blocks',
    replies: ['user-unblocked'],
    otherEvents: [],
    errors: ['not-found', 'account-not-found'],
    handle: (service, request, payload) => service.unblock(payload.username, request),
  }),
} satisfies Partial<Frames>;
