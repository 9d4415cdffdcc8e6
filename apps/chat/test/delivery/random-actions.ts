import { type ClientFrameType } from '@waggle/contracts';
import { seedAccounts } from '@waggle/devnet';
import * as fc from 'fast-check';

/** Actions of users with their relative frequencies: frames by type, and REST calls. */
const weights = {
  'create-conversation': 8,
  'create-dm': 6,
  'write-to': 4,
  'create-channel': 4,
  'follow-channel': 4,
  'set-only-from-friends': 2,
  'chat-message': 30,
  acknowledgment: 12,
  'rename-conversation': 4,
  'set-conversation-preferences': 4,
  'set-draft': 8,
  'leave-conversation': 5,
  'delete-message': 6,
  'edit-message': 8,
  'add-reaction': 10,
  'remove-reaction': 4,
  'pin-message': 4,
  'unpin-message': 2,
  reply: 6,
  'add-member': 8,
  'remove-member': 5,
  'add-moderator': 6,
  'remove-moderator': 3,
  'request-friendship': 8,
  'accept-friendship': 6,
  'reject-friendship': 2,
  'remove-friendship': 2,
  'block-user': 3,
  'unblock-user': 3,
} satisfies Record<Exclude<ClientFrameType, 'authenticate' | 'typing' | 'mark-unread'> | OtherActionKind, number>;

type OtherActionKind =
  | 'create-dm'
  | 'write-to'
  | 'reply'
  | 'create-channel'
  | 'follow-channel'
  | 'set-only-from-friends';
export type ActionKind = keyof typeof weights;
const kinds: ActionKind[] = Object.keys(weights).filter((kind): kind is ActionKind => kind in weights);

/** An action of a user. Its target is chosen, when it is performed, from what exists by then. */
export interface Action {
  kind: ActionKind;
  /** Number of the account. */
  by: number;
  /** Chooses the conversation, message or request. */
  what: number;
  /** Number of the account that it is about. */
  whom: number;
  /** Whether to choose among the items of all users; most of these actions are rejected. */
  amongAll: boolean;
}

const account = fc.nat({ max: seedAccounts.length - 1 });

export const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.oneof(...kinds.map((kind) => ({ weight: weights[kind], arbitrary: fc.constant(kind) }))),
  by: account,
  // Often one of the first few, so that what is done at the same moment is done to the same thing.
  what: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 9_999 })),
  whom: account,
  amongAll: fc.nat({ max: 7 }).map((n) => n >= 6),
});

export const minWaves = 10;

/** Concurrent actions, at least one; the next ones start when all of these have their replies. */
export const waves = fc.array(fc.array(action, { minLength: 1, maxLength: 8, size: 'max' }), {
  minLength: minWaves,
  maxLength: 40,
  size: 'max',
});

/** A frame to be sent. */
export interface Frame {
  type: ClientFrameType;
  payload: object;
}

/** What a user can choose from. */
export interface Choices {
  conversations: readonly string[];
  /** Groups and channels that the user can change. */
  managed: readonly string[];
  messages: readonly string[];
  /** The conversation of a message. */
  conversationOf: (messageId: string) => string | undefined;
  requests: readonly string[];
  friends: readonly string[];
  blocked: readonly string[];
  /** Members of a conversation. */
  membersOf: (conversationId: string) => readonly string[];
}

/** What an action chooses from; if that is empty, another user is chosen. */
export function chosenAmong({ kind }: Action, choices: Choices): readonly string[] {
  switch (kind) {
    case 'chat-message':
    case 'acknowledgment':
    case 'leave-conversation':
    case 'set-conversation-preferences':
    case 'set-draft':
      return choices.conversations;
    case 'rename-conversation':
    case 'add-member':
    case 'remove-member':
    case 'add-moderator':
    case 'remove-moderator':
      return choices.managed;
    case 'delete-message':
    case 'edit-message':
    case 'add-reaction':
    case 'remove-reaction':
    case 'pin-message':
    case 'unpin-message':
    case 'reply':
      return choices.messages;
    case 'accept-friendship':
    case 'reject-friendship':
      return choices.requests;
    case 'remove-friendship':
      return choices.friends;
    case 'unblock-user':
      return choices.blocked;
    default:
      return seedAccounts;
  }
}

const emoji = ['🐝', '🍯', '🌻'];
const attachments = [
  { url: 'https://images.example/bee.png', name: 'bee.png', media_type: 'image/png', bytes: 9, width: 2, height: 1 },
];
const nowhere = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

export function choose(among: readonly string[], number: number): string {
  return among[number % Math.max(among.length, 1)] ?? nowhere;
}

export function accountOf(number: number): string {
  return choose(seedAccounts, number);
}

/** The frame of an action; undefined if it is a REST call. */
export function frameOf(action: Action, choices: Choices, text: string): Frame | undefined {
  const { kind, what, whom } = action;
  const chosen = choose(chosenAmong(action, choices), what);
  const conversation_id = chosen;
  const username = accountOf(whom);
  const message = whom % 3 === 0 ? `${text} @${username}` : text;
  switch (kind) {
    case 'create-channel':
    case 'follow-channel':
    case 'set-only-from-friends':
      return undefined;
    case 'create-conversation': {
      const to = [whom, what, Math.floor(what / 10)].slice(0, 1 + (what % 3)).map(accountOf);
      return { type: 'create-conversation', payload: { to, message } };
    }
    case 'create-dm':
      return { type: 'create-conversation', payload: { to: username, message } };
    case 'write-to':
      return { type: 'chat-message', payload: { to: username, message } };
    case 'chat-message':
      return { type: kind, payload: { conversation_id, message } };
    case 'reply': {
      const conversation = choices.conversationOf(chosen) ?? nowhere;
      const payload = { conversation_id: conversation, message, reply_to: chosen };
      return { type: 'chat-message', payload: whom % 2 === 0 ? payload : { ...payload, attachments } };
    }
    case 'edit-message':
      return { type: kind, payload: { id: chosen, message } };
    case 'add-reaction':
    case 'remove-reaction':
      return { type: kind, payload: { id: chosen, emoji: choose(emoji, whom) } };
    case 'rename-conversation':
      return { type: kind, payload: { conversation_id, name: text } };
    case 'set-conversation-preferences':
      return { type: kind, payload: { conversation_id, muted: what % 2 === 0, favourite: whom % 2 === 0 } };
    case 'set-draft':
      return { type: kind, payload: { conversation_id, text: whom % 3 === 0 ? '' : text } };
    case 'acknowledgment':
    case 'leave-conversation':
      return { type: kind, payload: { conversation_id } };
    case 'add-member':
      return { type: kind, payload: { conversation_id, username } };
    case 'remove-member':
    case 'add-moderator':
    case 'remove-moderator': {
      const member = choose(choices.membersOf(conversation_id), whom);
      return { type: kind, payload: { conversation_id, username: member === nowhere ? username : member } };
    }
    case 'delete-message':
    case 'pin-message':
    case 'unpin-message':
    case 'accept-friendship':
    case 'reject-friendship':
      return { type: kind, payload: { id: chosen } };
    case 'request-friendship':
    case 'block-user':
      return { type: kind, payload: { username } };
    case 'remove-friendship':
    case 'unblock-user':
      return { type: kind, payload: { username: chosen } };
  }
}
