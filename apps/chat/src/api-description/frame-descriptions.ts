import {
  extendedServerFrames,
  type CloseReason,
  type FrameErrorCode,
  type ServerFrameType,
  type ServerPayload,
} from '@waggle/contracts';

const extended = 'With the capability';

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
