import type { ChatEvents, StreamPosition } from '@waggle/client/browser';
import type { ChatData } from './chat-data';
import {
  changeByEvent,
  changeConversation,
  changePins,
  createdConversation,
  markStale,
  moveReadPosition,
  removeConversation,
  removeMember,
  setDmBlocked,
} from './conversation-changes';
import { withDraft } from './drafts';
import { withEntry, withoutEntry } from './maps';
import { addMessage, deleteMessage, editMessage, setReactions } from './message-changes';
import { changePeople, withoutFriend, withoutRequest } from './people-changes';
import { withTyping } from './typing';

/** Events of the service that change the data. `read-position` says more than `acknowledged`. */
export type AppliedEvent = Exclude<
  keyof ChatEvents,
  | 'connected'
  | 'resumed'
  | 'state-lost'
  | 'disconnected'
  | 'ended'
  | 'sent'
  | 'not-sent'
  | 'unknown-frame'
  | 'error'
  | 'acknowledged'
>;

export type EventHandlers = {
  [E in AppliedEvent]: (data: ChatData, payload: ChatEvents[E], position: StreamPosition | undefined) => ChatData;
};

/** Applies an event of the service. State and later events together equal the state that is fetched later. */
export const eventHandlers: EventHandlers = {
  'conversation-created': createdConversation,
  'conversation-renamed': (data, { conversation_id, name }, position) =>
    changeByEvent(data, conversation_id, position, (conversation) => ({ ...conversation, name })),
  'conversation-removed': (data, { id }) => removeConversation({ ...data, drafts: withoutEntry(data.drafts, id) }, id),
  'conversation-preferences-changed': (data, { conversation_id, ...preferences }) =>
    changeConversation(data, conversation_id, (conversation) => ({ ...conversation, ...preferences })),
  'chat-message': (data, message, position) =>
    addMessage(data, { ...message, seq: position?.seq ?? Number.MAX_SAFE_INTEGER }),
  'message-deleted': (data, { id }, position) => (position === undefined ? data : deleteMessage(data, position, id)),
  'message-edited': (data, edit, position) => (position === undefined ? data : editMessage(data, position, edit)),
  'reactions-changed': (data, change, position) =>
    position === undefined ? data : setReactions(data, position, change),
  'pins-changed': (data, { id, conversation_id, pinned }) => {
    // The event lacks the text, so the pins have to be fetched.
    if (pinned) return { ...data, pins: withoutEntry(data.pins, conversation_id) };
    return changePins(data, conversation_id, (pins) => pins.filter((pin) => pin.id !== id));
  },
  'receipts-changed': (data, { conversation_id, receipts }) => {
    const known = data.receipts.get(conversation_id);
    if (known === undefined) return data;
    const changed = new Map([...known, ...receipts.map(({ username, seq }) => [username, seq] as const)]);
    return { ...data, receipts: withEntry(data.receipts, conversation_id, changed) };
  },
  'draft-changed': withDraft,
  'member-added': (data, { conversation_id, username }, position) =>
    changeByEvent(data, conversation_id, position, ({ members, ...conversation }) => ({
      ...conversation,
      members: members.includes(username) ? members : [...members, username],
    })),
  'member-removed': (data, { conversation_id, username }, position) =>
    removeMember(data, conversation_id, position, username),
  'member-left': (data, { conversation_id, member }, position) => removeMember(data, conversation_id, position, member),
  'moderator-added': (data, { conversation_id, username }, position) =>
    changeByEvent(data, conversation_id, position, ({ moderators, ...conversation }) => ({
      ...conversation,
      moderators: moderators.includes(username) ? moderators : [...moderators, username],
    })),
  'moderator-removed': (data, { conversation_id, username }, position) =>
    changeByEvent(data, conversation_id, position, ({ moderators, ...conversation }) => ({
      ...conversation,
      moderators: moderators.filter((each) => each !== username),
    })),
  'read-position': moveReadPosition,
  'messages-read': (data, { conversation_id, seq }) =>
    changeConversation(data, conversation_id, (conversation) => ({
      ...conversation,
      receiptSeq: Math.max(conversation.receiptSeq, seq),
    })),
  typing: (data, typing) => withTyping(data, typing, performance.now()),
  'presence-changed': (data, { username, online }) => {
    const all = new Set(data.online);
    if (online) all.add(username);
    else all.delete(username);
    return { ...data, online: all };
  },
  'friendship-requested': (data, request) =>
    request.username === data.account
      ? data
      : changePeople(data, ({ requests, ...people }) => ({
          ...people,
          requests: [...requests.filter(({ id }) => id !== request.id), request],
        })),
  'friendship-accepted': (data, { id, username }) =>
    changePeople(withoutRequest(data, id), ({ friends, ...people }) => ({
      ...people,
      friends: [...friends.filter((each) => each !== username), username],
    })),
  'friendship-rejected': (data, { id }) => withoutRequest(data, id),
  'friendship-removed': (data, { username }) => withoutFriend(data, username),
  'user-blocked': (data, { conversation_id, username }) =>
    changePeople(setDmBlocked(withoutFriend(data, username), conversation_id), ({ blocked, ...people }) => ({
      ...people,
      blocked: [...blocked.filter((each) => each !== username), username],
    })),
  // The other account may block this one, too.
  'user-unblocked': (data, { conversation_id, username }) =>
    changePeople(conversation_id === null ? data : markStale(data, conversation_id), ({ blocked, ...people }) => ({
      ...people,
      blocked: blocked.filter((each) => each !== username),
    })),
};
