import type { AnyFrame, Frames, FrameType, Place } from './frames';
import { type Guard, isAbsentOr, isBoolean, isListOf, isNullOr, isNumber, isObject, isShape, isText } from './guards';
import { isConversation, isMessage } from './resource-guards';

const ofConversation = { conversation_id: isText };
const ofMember = { conversation_id: isText, username: isText };
const ofFriendRequest = { id: isText, username: isText };
const ofBlock = { conversation_id: isNullOr(isText), username: isText };

const isRef: Guard<string | number> = (value) => typeof value === 'string' || typeof value === 'number';

const payloads: { [T in FrameType]: Guard<Frames[T]> } = {
  status: isShape<Frames['status']>({
    authenticated: isBoolean,
    capabilities: isAbsentOr(isListOf(isText)),
    cursor: isAbsentOr(isText),
  }),
  'conversation-created': isConversation,
  'chat-message': isMessage,
  'conversation-renamed': isShape<Frames['conversation-renamed']>({ ...ofConversation, name: isText }),
  'conversation-removed': isShape<Frames['conversation-removed']>({ id: isText }),
  'member-left': isShape<Frames['member-left']>({ ...ofConversation, member: isText }),
  'message-deleted': isShape<Frames['message-deleted']>({ id: isText }),
  acknowledged: isShape<Frames['acknowledged']>(ofConversation),
  'member-added': isShape<Frames['member-added']>(ofMember),
  'member-removed': isShape<Frames['member-removed']>(ofMember),
  'moderator-added': isShape<Frames['moderator-added']>(ofMember),
  'moderator-removed': isShape<Frames['moderator-removed']>(ofMember),
  'friendship-requested': isShape<Frames['friendship-requested']>(ofFriendRequest),
  'friendship-accepted': isShape<Frames['friendship-accepted']>(ofFriendRequest),
  'friendship-rejected': isShape<Frames['friendship-rejected']>({ id: isText }),
  'friendship-removed': isShape<Frames['friendship-removed']>({ username: isText }),
  'user-blocked': isShape<Frames['user-blocked']>(ofBlock),
  'user-unblocked': isShape<Frames['user-unblocked']>(ofBlock),
  'reauthentication-required': isShape<Frames['reauthentication-required']>({ username: isText }),
  'resume-complete': isShape<Frames['resume-complete']>({ cursor: isText }),
  'resume-failed': isShape<Frames['resume-failed']>({ reason: isText, cursor: isText }),
  'messages-read': isShape<Frames['messages-read']>({ ...ofMember, seq: isNumber }),
  typing: isShape<Frames['typing']>(ofMember),
  'presence-changed': isShape<Frames['presence-changed']>({ username: isText, online: isBoolean }),
  error: isShape<Frames['error']>({
    code: isText,
    message: isText,
    request_type: isNullOr(isText),
    ref: isAbsentOr(isRef),
    retry_after_ms: isAbsentOr(isNumber),
  }),
};

/** A frame that is not, or not yet, one that we know; its cursor counts all the same. */
export interface Envelope {
  type: string;
  payload: unknown;
  ref: unknown;
  place: Place | undefined;
  cursor: string | undefined;
}

/** Undefined for what is no frame at all. */
export function readEnvelope(data: unknown): Envelope | undefined {
  const value = parseJson(data);
  if (!isObject(value)) return undefined;
  const { type, payload, ref, stream, seq, cursor } = value;
  if (!isText(type)) return undefined;
  return {
    type,
    payload,
    ref,
    place: isText(stream) && isNumber(seq) ? { stream, seq } : undefined,
    cursor: isText(cursor) ? cursor : undefined,
  };
}

const frameTypes: ReadonlySet<string> = new Set(Object.keys(payloads));

/** Whether it is of a type that we know, and as that type is. */
export function isFrame(envelope: Envelope): envelope is AnyFrame {
  return isFrameType(envelope.type) && payloads[envelope.type](envelope.payload);
}

function isFrameType(type: string): type is FrameType {
  return frameTypes.has(type);
}

function parseJson(data: unknown): unknown {
  if (typeof data !== 'string') return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
