import { frame, type Frames, type Resolve } from '../realtime/frame-definition';
import { MembershipService } from './membership.service';

const membership = (resolve: Resolve) => resolve(MembershipService);

/**
 * Frames that change the members, roles and name of a conversation. Part of `clientFrameDefinitions`
 * (client-frames.ts).
 */
export const membershipFrames = {
  'rename-conversation': frame(membership, {
    price: 'change',
    summary: 'Gives a group or channel another name.',
    permission: 'the creator',
    replies: ['conversation-renamed'],
    eventsToOthers: [],
    errors: ['forbidden', 'not-found', 'too-large'],
    handle: (service, request, payload) => service.rename(payload, request),
  }),
  'leave-conversation': frame(membership, {
    price: 'change',
    summary:
      'Leaves a group or channel for good; hides a dm until its next message. If the creator leaves, the moderator who was appointed first becomes creator, or the member who joined first if there is none.',
    permission: 'members; in a channel any account: a follower no longer follows it',
    replies: ['conversation-removed'],
    eventsToOthers: ['member-left'],
    errors: ['not-found'],
    handle: (service, request, payload) => service.leave(payload.conversation_id, request),
  }),
  'set-conversation-preferences': frame(membership, {
    price: 'change',
    summary: 'With the capability `rich`: mutes a conversation, makes it a favourite, or the reverse. May be repeated.',
    permission: 'members; in a channel any account',
    replies: ['conversation-preferences-changed'],
    eventsToOthers: [],
    errors: ['not-found', 'unknown-type'],
    handle: (service, request, payload) => service.setPreferences(payload, request),
  }),
  'add-member': frame(membership, {
    price: 'change',
    summary:
      'Makes an account a member of a group or channel. The new member gets `conversation-created` first, also an admin who adds themselves.',
    permission:
      'the creator and moderators, in a channel also admins; not if the account blocks the sender; only friends of the account if it accepts only friends or has left',
    replies: ['member-added', 'conversation-created'],
    eventsToOthers: [],
    errors: ['forbidden', 'not-found', 'account-not-found', 'blocked', 'friends-only', 'conflict', 'too-large'],
    handle: (service, request, payload) => service.addMember(payload, request),
  }),
  'remove-member': frame(membership, {
    price: 'change',
    summary:
      'Removes a member of a group or channel. An account that was removed from a channel may still read it, but does not follow it and cannot join it again by writing.',
    permission:
      'the creator and moderators, in a channel also admins; a moderator neither the creator nor another moderator',
    replies: ['member-removed'],
    eventsToOthers: ['conversation-removed'],
    errors: ['forbidden', 'not-found', 'account-not-found'],
    handle: (service, request, payload) => service.removeMember(payload, request),
  }),
  'add-moderator': frame(membership, {
    price: 'change',
    summary: 'Makes a member of a group or channel a moderator.',
    permission: 'the creator',
    replies: ['moderator-added'],
    eventsToOthers: [],
    errors: ['forbidden', 'not-found', 'account-not-found', 'conflict'],
    handle: (service, request, payload) => service.setModerator(payload, true, request),
  }),
  'remove-moderator': frame(membership, {
    price: 'change',
    summary: 'Makes a moderator a plain member again.',
    permission: 'the creator',
    replies: ['moderator-removed'],
    eventsToOthers: [],
    errors: ['forbidden', 'not-found', 'account-not-found', 'conflict'],
    handle: (service, request, payload) => service.setModerator(payload, false, request),
  }),
} satisfies Partial<Frames>;
