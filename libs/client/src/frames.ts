import type { Conversation, Message } from './resources';

/** What a connection may ask for beyond the documented frames. */
export type Capability = 'sync' | 'client-id' | 'receipts' | 'typing' | 'presence';

export const capabilities: readonly Capability[] = ['sync', 'client-id', 'receipts', 'typing', 'presence'];

/** The codes of `error` frames. */
export type FrameErrorCode =
  | 'invalid-frame'
  | 'unknown-type'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'account-not-found'
  | 'blocked'
  | 'friends-only'
  | 'too-large'
  | 'rate-limited'
  | 'conflict'
  | 'unavailable';

/** Why a connection could not go on where the former one was lost. */
export type ResumeFailure = 'invalid' | 'expired' | 'too-much';

interface OfConversation {
  conversation_id: string;
}

interface OfMember {
  conversation_id: string;
  username: string;
}

interface OfFriendRequest {
  id: string;
  username: string;
}

interface OfBlock {
  /** The dm of the two, where there is one. */
  conversation_id: string | null;
  username: string;
}

/** An answer to what could not be done. */
export interface FrameError {
  code: FrameErrorCode;
  /** For people; may change. */
  message: string;
  request_type: string | null;
  ref?: string | number | undefined;
  retry_after_ms?: number | undefined;
}

/** The payload of every frame of the service, by the frame's type. */
export interface Frames {
  status: { authenticated: boolean; capabilities?: Capability[] | undefined; cursor?: string | undefined };
  'conversation-created': Conversation;
  'chat-message': Message;
  'conversation-renamed': { conversation_id: string; name: string };
  'conversation-removed': { id: string };
  'member-left': { conversation_id: string; member: string };
  'message-deleted': { id: string };
  acknowledged: OfConversation;
  'member-added': OfMember;
  'member-removed': OfMember;
  'moderator-added': OfMember;
  'moderator-removed': OfMember;
  'friendship-requested': OfFriendRequest;
  'friendship-accepted': OfFriendRequest;
  'friendship-rejected': { id: string };
  'friendship-removed': { username: string };
  'user-blocked': OfBlock;
  'user-unblocked': OfBlock;
  'reauthentication-required': { username: string };
  'resume-complete': { cursor: string };
  'resume-failed': { reason: ResumeFailure; cursor: string };
  /** `username` has read everything up to `seq`. */
  'messages-read': { conversation_id: string; username: string; seq: number };
  typing: OfMember;
  'presence-changed': { username: string; online: boolean };
  error: FrameError;
}

export type FrameType = keyof Frames;

/** Where an entry stands: in the stream of a conversation (by its id) or of the account (by its name). */
export interface Place {
  stream: string;
  /** Grows within the stream. */
  seq: number;
}

/** A frame of the service. The place and the cursor are there on durable frames of a connection with `sync`. */
export interface Frame<T extends FrameType> {
  type: T;
  payload: Frames[T];
  ref: unknown;
  place: Place | undefined;
  cursor: string | undefined;
}

export type AnyFrame = { [T in FrameType]: Frame<T> }[FrameType];

/** What we send, by the frame's type. */
export interface SentFrames {
  authenticate: { token?: string; capabilities?: Capability[]; resume?: string };
  'create-conversation': { to: string | string[]; message: string; client_id?: string };
  'chat-message': { conversation_id?: string; to?: string; message: string; client_id?: string };
  'rename-conversation': { conversation_id: string; name: string };
  'leave-conversation': OfConversation;
  'delete-message': { id: string };
  acknowledgment: OfConversation;
  'add-member': OfMember;
  'remove-member': OfMember;
  'add-moderator': OfMember;
  'remove-moderator': OfMember;
  'request-friendship': { username: string };
  'accept-friendship': { id: string };
  'reject-friendship': { id: string };
  'remove-friendship': { username: string };
  'block-user': { username: string };
  'unblock-user': { username: string };
  typing: OfConversation;
}

export type SentFrameType = keyof SentFrames;

export function isOneOf<T extends FrameType>(frame: AnyFrame, types: readonly T[]): frame is AnyFrame & Frame<T> {
  return types.some((type) => type === frame.type);
}
