import { z } from 'zod';
import { accountName } from '../account-name';
import { identifier, timestamp } from './values';

/** Answer of `/users/login`: the documented fields, and the tokens for clients that keep them themselves. */
export const loginSession = z.object({
  username: accountName,
  admin: z.boolean(),
  ws_token: z.string().meta({ description: 'Token for the WebSocket alone' }),
  token: z.string().meta({ description: 'Access token' }),
  refresh_token: z.string(),
  expires_at: timestamp.meta({ description: 'When the access token expires' }),
});
export type LoginSession = z.infer<typeof loginSession>;

/** Answer of `/users/verify` and `/users/refresh-token`. */
export const renewedSession = z.object({ username: accountName, ws_token: z.string(), token: z.string() });
export type RenewedSession = z.infer<typeof renewedSession>;

/** One of the caller's own sessions. Where in the world it was begun is not looked up. */
export const sessionInfo = z.object({
  id: identifier,
  browser: z.string().nullable().meta({ description: 'The User-Agent of its log-in' }),
  ip: z.string().nullable().meta({ description: 'The address of its log-in' }),
  city: z.null(),
  country: z.null(),
  created_at: timestamp,
  current: z.boolean().meta({ description: 'Whether it is the session that asks' }),
});
export type SessionInfo = z.infer<typeof sessionInfo>;

/** Answer of `POST /users/revoke-session`. */
export const sessionRevoked = z.object({ success: z.literal(true) });
export type SessionRevoked = z.infer<typeof sessionRevoked>;

export const conversationType = z.enum(['dm', 'group', 'channel']);
export type ConversationType = z.infer<typeof conversationType>;

export const conversation = z.object({
  id: identifier,
  type: conversationType,
  name: z.string().optional().meta({ description: 'Present on channels and on groups that were renamed' }),
  creator: accountName,
  members: z.array(accountName),
  moderators: z.array(accountName),
  blocked: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Conversation = z.infer<typeof conversation>;

/** A message as `/messages/new` gives it. */
export const unreadMessage = z.object({
  id: identifier,
  conversation_id: identifier,
  from: accountName,
  to: accountName.nullable().meta({ description: 'The recipient in a dm, null elsewhere' }),
  content: z.string(),
  timestamp,
});
export type UnreadMessage = z.infer<typeof unreadMessage>;

/** A message in history and in `chat-message` events. */
export const message = unreadMessage.extend({
  read: z
    .boolean()
    .meta({ description: 'In a dm: its recipient has acknowledged it. Elsewhere: the caller has, or wrote it' }),
});
export type Message = z.infer<typeof message>;

export const friendRequest = z.object({ id: identifier, username: accountName });
export type FriendRequest = z.infer<typeof friendRequest>;

export const friendsList = z.object({ friends: z.array(accountName), blocked: z.array(accountName) });
export type FriendsList = z.infer<typeof friendsList>;

export const settings = z.object({ dm: z.object({ only_from_friends: z.boolean() }) });
export type Settings = z.infer<typeof settings>;

export const createdChannel = z.object({ id: identifier, name: z.string(), creator: accountName });
export type CreatedChannel = z.infer<typeof createdChannel>;
