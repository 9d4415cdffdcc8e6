import {
  extendedServerFrames,
  frameErrorCode,
  type ClientFrameType,
  type CloseReason,
  type FrameErrorCode,
  type ServerFrameType,
  type ServerPayload,
} from '@waggle/contracts';

/** What a client should know of a frame that it may send, besides its schema. */
export interface ClientFrameDescription {
  summary: string;
  /** Who may send it. */
  permission: string;
  /** What comes back to the connection it came from, with its `ref`: one of these, several, or none where there are none. */
  answers: readonly ServerFrameType[];
  /** What it causes for others alone. */
  alsoCauses?: readonly ServerFrameType[];
  /** The codes of `error` frames that answer it, besides those of any frame. */
  refusals: readonly FrameErrorCode[];
}

/** The codes with which any frame may be refused. */
const commonRefusals = [
  'invalid-frame',
  'unauthenticated',
  'rate-limited',
  'unavailable',
] as const satisfies FrameErrorCode[];

const anybody = 'anybody';
const anyUser = 'any authenticated user';

const extended = 'With the capability';

export const clientFrameDescriptions: Record<ClientFrameType, ClientFrameDescription> = {
  typing: {
    summary: `${extended} \`typing\`: the account is typing in a conversation. Say it every 3 s at most, while it is so.`,
    permission: 'members who may write',
    answers: [],
    alsoCauses: ['typing'],
    refusals: ['forbidden', 'not-found', 'blocked', 'friends-only', 'unknown-type'],
  },
  authenticate: {
    summary:
      'Proves who the connection is. May be sent again at any time, also empty, and then extends the authentication.',
    permission: anybody,
    answers: ['status', 'resume-complete', 'resume-failed'],
    refusals: [],
  },
  'create-conversation': {
    summary:
      'Begins a dm (`to` is one account) or a group (`to` is a list) with a first message. Where the two have a dm already, the message goes into that one.',
    permission: `${anyUser}; not with an account that blocks the sender, or that accepts only friends and is none of the sender's`,
    answers: ['conversation-created', 'chat-message'],
    refusals: ['forbidden', 'account-not-found', 'blocked', 'friends-only', 'conflict', 'too-large'],
  },
  'rename-conversation': {
    summary: 'Gives a group or channel another name.',
    permission: 'the creator',
    answers: ['conversation-renamed'],
    refusals: ['forbidden', 'not-found', 'too-large'],
  },
  'leave-conversation': {
    summary:
      'Leaves a group or channel for good; hides a dm until its next message. If the creator leaves, the longest-standing moderator, else member, becomes creator.',
    permission: 'members; in a channel also who only follows it, who then hears no more of it',
    answers: ['conversation-removed'],
    alsoCauses: ['member-left'],
    refusals: ['not-found'],
  },
  'chat-message': {
    summary:
      'Writes into a conversation; with `to` and no `conversation_id` into the dm with that account, which is made where there is none.',
    permission: 'members; in a channel anybody who was not removed from it, and becomes a member by it',
    answers: ['chat-message', 'conversation-created', 'member-added'],
    refusals: ['forbidden', 'not-found', 'account-not-found', 'blocked', 'friends-only', 'conflict', 'too-large'],
  },
  'delete-message': {
    summary: 'Deletes a message for everybody.',
    permission: 'the sender; in a group or channel also the creator and moderators, in a channel admins',
    answers: ['message-deleted'],
    refusals: ['forbidden', 'not-found'],
  },
  acknowledgment: {
    summary: 'Marks what the conversation holds as read by the sender of the frame. May be repeated.',
    permission: 'members; in a channel anybody',
    answers: ['acknowledged'],
    refusals: ['not-found'],
  },
  'add-member': {
    summary:
      'Makes an account a member of a group or channel. Who was added hears `conversation-created` before, also an admin who adds themselves.',
    permission:
      'the creator and moderators, in a channel also admins; not an account that blocks the sender; of those that accept only friends or have left, only a friend of the sender’s',
    answers: ['member-added', 'conversation-created'],
    refusals: ['forbidden', 'not-found', 'account-not-found', 'blocked', 'friends-only', 'conflict', 'too-large'],
  },
  'remove-member': {
    summary: 'Takes a member out of a group or channel, and keeps them out of a channel.',
    permission:
      'the creator and moderators, in a channel also admins; a moderator neither the creator nor another moderator',
    answers: ['member-removed'],
    alsoCauses: ['conversation-removed'],
    refusals: ['forbidden', 'not-found', 'account-not-found'],
  },
  'add-moderator': {
    summary: 'Makes a member of a group or channel a moderator.',
    permission: 'the creator',
    answers: ['moderator-added'],
    refusals: ['forbidden', 'not-found', 'account-not-found', 'conflict'],
  },
  'remove-moderator': {
    summary: 'Makes a moderator a plain member again.',
    permission: 'the creator',
    answers: ['moderator-removed'],
    refusals: ['forbidden', 'not-found', 'account-not-found', 'conflict'],
  },
  'request-friendship': {
    summary: 'Asks an account for friendship. Where that account has asked before, both are friends.',
    permission: `${anyUser}; not where one of the two blocks the other`,
    answers: ['friendship-requested', 'friendship-accepted'],
    refusals: ['forbidden', 'account-not-found', 'blocked', 'conflict'],
  },
  'accept-friendship': {
    summary: 'Accepts a friend request.',
    permission: 'the account that was asked',
    answers: ['friendship-accepted'],
    refusals: ['not-found'],
  },
  'reject-friendship': {
    summary: 'Rejects a friend request, or takes back one’s own.',
    permission: 'the account that was asked, and the one that asked',
    answers: ['friendship-rejected'],
    refusals: ['not-found'],
  },
  'remove-friendship': {
    summary: 'Ends a friendship.',
    permission: 'either of the two',
    answers: ['friendship-removed'],
    refusals: ['not-found', 'account-not-found'],
  },
  'block-user': {
    summary:
      'Blocks an account: no dm and no friend request either way. Ends a friendship, of which both hear `friendship-removed`, and a pending request, of which both hear `friendship-rejected`.',
    permission: anyUser,
    answers: ['user-blocked', 'friendship-removed', 'friendship-rejected'],
    refusals: ['forbidden', 'account-not-found', 'conflict'],
  },
  'unblock-user': {
    summary: 'Takes back a block.',
    permission: 'the account that blocks',
    answers: ['user-unblocked'],
    refusals: ['not-found', 'account-not-found'],
  },
};

/** Every code with which a frame of that type may be refused, in the order of the contract. */
export function refusalsOf(type: ClientFrameType): FrameErrorCode[] {
  const codes: readonly FrameErrorCode[] = [...commonRefusals, ...clientFrameDescriptions[type].refusals];
  return frameErrorCode.options.filter(
    // Whoever authenticates need not have done so before.
    (code) => codes.includes(code) && !(type === 'authenticate' && code === 'unauthenticated'),
  );
}

/** What a client should know of a frame that it may hear, besides its schema. */
export interface ServerFrameDescription<Type extends ServerFrameType> {
  summary: string;
  /** Whose connections hear it; the acting user's are among them where they belong to these. */
  audience: string;
  /** Which of a durable type has no place all the same. */
  placeless?: string;
  /** A payload, where the schema has no example of its own. */
  example?: ServerPayload<Type>;
}

/** Frames of the interface document that are told of a moment, and to whoever is there: they are in no stream. */
const momentary: readonly ServerFrameType[] = ['status', 'error', 'acknowledged', 'reauthentication-required'];

/** Whether a frame is an entry of a stream, with a place there, and is told to whoever comes back later. */
export function isDurable(type: ServerFrameType): boolean {
  return !momentary.includes(type) && !(type in extendedServerFrames);
}

const followers = 'in a channel also whoever follows it';
const conversationAudience = `all members, ${followers}, and whoever did it`;
const thisConnection = 'this connection alone';
const bothSides = 'both sides';

export const serverFrameDescriptions: { [Type in ServerFrameType]: ServerFrameDescription<Type> } = {
  'resume-complete': {
    summary: `${extended} \`sync\`: all that was missed has been told; live frames follow.`,
    audience: thisConnection,
  },
  'resume-failed': {
    summary: `${extended} \`sync\`: what was missed cannot be told; fetch the state anew.`,
    audience: thisConnection,
  },
  'messages-read': {
    summary: `${extended} \`receipts\`: the other side of a dm has read everything up to a place.`,
    audience: 'the other side of the dm',
  },
  typing: {
    summary: `${extended} \`typing\`: somebody is typing. Show it for 5 s.`,
    audience: 'other members who are connected',
  },
  'presence-changed': {
    summary: `${extended} \`presence\`: a friend is connected, or no longer.`,
    audience: 'friends',
  },
  status: { summary: 'Whether the connection is authenticated now.', audience: thisConnection },
  'conversation-created': {
    summary: 'A conversation has begun, or has become visible to the account.',
    audience:
      'all members of a new conversation, which for a channel, made by `POST /users/channels`, is its creator; a member who was added, or joins a channel by writing; whoever had left a dm, with its next message; whoever asked for a dm that exists (this connection alone)',
    placeless: 'where it answers `create-conversation` for a dm that exists already: nothing has happened to that dm',
  },
  'chat-message': { summary: 'A message was written.', audience: conversationAudience },
  'conversation-renamed': { summary: 'A conversation has another name.', audience: conversationAudience },
  'conversation-removed': {
    summary: 'A conversation is no longer one of the account’s.',
    audience: 'the account that left or was removed',
  },
  'member-left': {
    summary: 'A member has left.',
    audience: `the members who stay, ${followers}; not who left: they hear \`conversation-removed\``,
  },
  'message-deleted': { summary: 'A message was deleted.', audience: conversationAudience },
  acknowledged: {
    summary: 'The account has acknowledged what a conversation holds.',
    audience: 'the account that acknowledged, and nobody else',
  },
  'member-added': { summary: 'An account has become a member.', audience: conversationAudience },
  'member-removed': {
    summary: 'A member was removed.',
    audience: `the members who stay, ${followers}, and whoever did it; not who was removed: they hear \`conversation-removed\``,
  },
  'moderator-added': { summary: 'A member has become a moderator.', audience: conversationAudience },
  'moderator-removed': { summary: 'A moderator has become a plain member.', audience: conversationAudience },
  'friendship-requested': {
    summary: '`username` asks for friendship; `id` is that of the request.',
    audience: bothSides,
  },
  'friendship-accepted': {
    summary: 'A friend request was accepted; `username` is the other side.',
    audience: bothSides,
  },
  'friendship-rejected': {
    summary: 'A friend request is gone: rejected, taken back, or ended by a block.',
    audience: bothSides,
  },
  'friendship-removed': {
    summary: 'A friendship has ended; `username` is the other side.',
    audience: bothSides,
  },
  'user-blocked': { summary: 'The account blocks `username`.', audience: 'the blocker alone' },
  'user-unblocked': { summary: 'The account no longer blocks `username`.', audience: 'the blocker alone' },
  'reauthentication-required': {
    summary:
      'The authentication of this connection ends in a minute. Renew by `GET /users/refresh-token`, or send `authenticate`.',
    audience: thisConnection,
  },
  error: {
    summary: 'A frame of this connection was refused; nothing has changed by it.',
    audience: thisConnection,
    example: { code: 'not-found', message: 'there is no such conversation', request_type: 'chat-message', ref: 'm-17' },
  },
};

export const frameErrorDescriptions: Record<FrameErrorCode, string> = {
  'invalid-frame': 'Not a JSON object of the form `{type, payload}`, or a payload against its schema.',
  'unknown-type': 'There is no such type of frame.',
  unauthenticated: 'The connection must authenticate first.',
  forbidden: 'The account may not do this.',
  'not-found': 'It is not there, or not the account’s: which of the two is not told.',
  'account-not-found': 'There is no such account on the chain.',
  blocked: 'One of the two blocks the other.',
  'friends-only': 'The account accepts direct messages, and being added to groups and channels, from friends only.',
  'too-large': 'A text, name or group beyond its limit.',
  'rate-limited': 'Too many frames; `retry_after_ms` says when to try again.',
  conflict: 'It is so already; or the `client_id` is that of another message.',
  unavailable: 'We, or something we depend on, cannot serve this now; trying again can help.',
};

export const closeDescriptions: Record<CloseReason, string> = {
  tooManyMalformedFrames: 'Too many malformed frames.',
  notAuthenticatedInTime: 'Not authenticated in time: within 10 s unless configured otherwise.',
  authenticationFailed: 'Authentication failed; `status` with `authenticated: false` came before.',
  rateLimited: 'Too many frames or connections: come back later.',
  authenticationExpired: 'The authentication has expired.',
  sessionRevoked: 'The session was ended: log in anew.',
  unavailable: 'what was missed cannot be read now; come back later with the same cursor',
  consumerTooSlow: 'The client does not read fast enough.',
  frameTooLarge: 'A frame was too large.',
  draining: 'This instance ends: connect anew.',
};
