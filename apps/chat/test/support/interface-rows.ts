import { type BaseClientFrameType, type BaseServerFrameType } from '@waggle/contracts';

/**
 * Every row of every table of the chat's interface, by a stable id, in our own words. A test of a row is written with
 * `row(id, …)`, with a literal id; a test checks that every row has one.
 */
export const interfaceTables = {
  'Resources and their fields': {
    'resource session': 'username, ws_token and, at login only, admin; and the tokens for clients that store them',
    'resource conversation':
      'id, type, creator, members, moderators, blocked, created_at, updated_at; name on channels and renamed groups',
    'resource message':
      'id, conversation_id, from, to (null outside a dm), content, timestamp; read, except in the list of unread messages',
    'resource friend request': 'id, username',
    'resource friends list': 'friends and blocked, each a list of accounts',
    'resource settings': 'dm.only_from_friends',
    'resource created channel': 'id, name, creator',
  },
  'States and transitions': {
    'transition no friendship → pending': 'request-friendship by username; listed by GET /users/friend-requests',
    'transition pending → friend': 'accept-friendship by the id of the request',
    'transition pending → rejected': 'reject-friendship by the id of the request; the request is gone',
    'transition friend → not a friend': 'remove-friendship by username',
    'transition friend → blocked': 'block-user by username; the account leaves the friends list',
    'transition blocked → not blocked': 'unblock-user by username',
    'transition unread → read': 'acknowledgment by conversation_id',
    'transition connected → authenticated': 'authenticate; the server closes connections that do not',
    'transition authenticated → notice of the end':
      'one minute before it expires: reauthentication-required, nothing else',
  },
  'REST endpoints': {
    'GET /users/login': 'username, ts and sig in the query; returns the session',
    'GET /users/verify': 'returns username and ws_token; renews an invalid access token by the refresh token',
    'GET /users/refresh-token': 'returns username and ws_token with a new access token',
    'GET /users/friends': 'returns the friends list',
    'GET /users/friend-requests': 'returns the pending friend requests',
    'GET /users/settings': 'returns the settings',
    'POST /users/settings': 'dm.only_from_friends in the body; returns the settings',
    'GET /users/channels': 'returns the channels that the caller created',
    'POST /users/channels': 'name in the body; returns id, name and creator',
    'GET /users/logout': 'logs the user out',
    'GET /messages/conversations': 'returns the conversations of the caller',
    'GET /messages/conversation': 'id or ids in the query; returns one conversation, or a list',
    'GET /messages/new': 'returns the unread messages, without read',
    'GET /messages/chats': 'conversation_id, before and limit in the query; returns messages with read',
  },
  'REST endpoints beyond the document': {
    'GET /messages/changes': 'conversation_id in the query; returns who changed what in a group or channel',
    'GET /messages/members': 'conversation_id in the query; returns the members, page by page',
    'GET /messages/pins': 'conversation_id in the query; returns the pinned messages',
    'GET /messages/drafts': 'returns the drafts of the caller, page by page',
    'GET /messages/mentions': 'returns messages that mention the caller or reply to it, page by page',
    'GET /messages/unread-counts': 'returns how many direct messages, mentions and other messages are unread',
    'GET /messages/receipts': 'conversation_id in the query; returns how far the members of a small group have read',
    'GET /messages/revisions': 'id in the query; returns the former texts of an edited message',
    'GET /messages/search': 'q in the query; returns the messages with these words that the caller may read',
    'GET /refresh-token': 'the same as GET /users/refresh-token',
    'GET /users/account': 'username in the query; returns whether that account exists',
    'POST /users/erase': 'ts and sig in the body; erases the data of the caller',
    'GET /users/export': 'returns everything about the caller, line by line',
    'GET /users/sessions': 'returns the sessions of the caller',
    'POST /users/revoke-session': 'id in the body; ends that session',
  },
  'WebSocket frames of the client': {
    'frame authenticate': 'replies with status',
    'frame create-conversation': 'to: an account or a list; replies with conversation-created, then chat-message',
    'frame rename-conversation': 'the creator, of a group; replies with conversation-renamed',
    'frame leave-conversation': 'replies with conversation-removed to the leaver, member-left to all members',
    'frame chat-message': 'to: the other account in a dm, null in a group; replies with chat-message',
    'frame delete-message': 'the sender, in a group also creator and moderators; replies with message-deleted',
    'frame acknowledgment': 'replies with acknowledged',
    'frame add-member': 'creator and moderators of a group; replies with member-added',
    'frame remove-member': 'creator and moderators of a group; replies with member-removed',
    'frame add-moderator': 'of a group; replies with moderator-added',
    'frame remove-moderator': 'the creator; replies with moderator-removed',
    'frame request-friendship': 'replies with friendship-requested',
    'frame accept-friendship': 'replies with friendship-accepted',
    'frame reject-friendship': 'replies with friendship-rejected',
    'frame remove-friendship': 'replies with friendship-removed',
    'frame block-user': 'replies with user-blocked',
    'frame unblock-user': 'replies with user-unblocked',
  } satisfies Record<`frame ${BaseClientFrameType}`, string>,
  'WebSocket frames of the server': {
    'event status': 'authenticated; after authenticate',
    'event conversation-created': 'the conversation; after create-conversation',
    'event chat-message': 'the message with read; after create-conversation (the first one) and chat-message',
    'event conversation-renamed': 'conversation_id, name; after rename-conversation',
    'event conversation-removed': 'id, to the leaver; after leave-conversation',
    'event member-left': 'conversation_id, member, to all members; after leave-conversation',
    'event message-deleted': 'id; after delete-message',
    'event acknowledged': 'conversation_id; after acknowledgment',
    'event member-added': 'conversation_id, username; after add-member',
    'event member-removed': 'conversation_id, username; after remove-member',
    'event moderator-added': 'conversation_id, username; after add-moderator',
    'event moderator-removed': 'conversation_id, username; after remove-moderator',
    'event friendship-requested': 'id, username; after request-friendship',
    'event friendship-accepted': 'id, username; after accept-friendship',
    'event friendship-rejected': 'id; after reject-friendship',
    'event friendship-removed': 'username; after remove-friendship',
    'event user-blocked': 'conversation_id, username; after block-user',
    'event user-unblocked': 'conversation_id, username; after unblock-user',
    'event reauthentication-required': 'username; one minute before the authentication ends',
    'event error': 'code, message, request_type; after a frame that is rejected (beyond the document)',
  } satisfies Record<`event ${BaseServerFrameType}`, string>,
  Authentication: {
    'authentication 1: login': 'username followed by ts, signed with the posting or the active key, gives a ws_token',
    'authentication 2: tokens':
      'verify renews with the refresh token if needed; refresh-token gives a new access token',
    'authentication 3: WebSocket': 'authenticate gets status as reply; connections that do not authenticate are closed',
    'authentication 4: renewal': 'reauthentication-required a minute ahead; refresh-token renews the open connection',
  },
  Limits: {
    'limit reauthentication notice': 'one minute before the authentication ends',
    'limit history page': '50 messages by default, 200 at most',
    'limit unread messages': '1,000 at most, the newest',
    'limit message text': '1 to 4,000 characters, not blank, no control characters except tab and line breaks',
    'limit name': '1 to 64 characters, not blank, no invisible characters',
    'limit group members': '250, including the creator',
    'limit frame size': '64 KiB',
    'limit login rate': 'by address and by account; Retry-After',
    'limit frame rate': 'by user; retry_after_ms',
    'limit connection rate': 'by address',
  },
} as const;

type InterfaceTable = keyof typeof interfaceTables;
/** Id of a row, such as `GET /users/login`, `frame authenticate` or `transition pending → friend`. */
export type RowId = { [Table in InterfaceTable]: keyof (typeof interfaceTables)[Table] }[InterfaceTable];

/**
 * A test of one or several rows of the interface: Jest's `it` with a name that starts with the ids. If a row has
 * several tests, `what` describes this one. Ids must be literals, since they are read from the source.
 */
export function row(ids: RowId | readonly RowId[], test: jest.ProvidesCallback): void;
export function row(ids: RowId | readonly RowId[], what: string, test: jest.ProvidesCallback): void;
export function row(
  ids: RowId | readonly RowId[],
  what: string | jest.ProvidesCallback,
  test?: jest.ProvidesCallback,
): void {
  const name = [ids].flat().join(', ');
  if (typeof what === 'function') it(name, what);
  else it(`${name}: ${what}`, test);
}
