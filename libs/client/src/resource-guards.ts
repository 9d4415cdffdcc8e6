import { isAbsentOr, isBoolean, isListOf, isNull, isNullOr, isNumber, isShape, isText } from './guards';
import type {
  Conversation,
  CreatedChannel,
  ExtendedConversation,
  FriendRequest,
  FriendsList,
  LoginAnswer,
  Message,
  PlacedMessage,
  PlacedUnreadMessage,
  RenewalAnswer,
  SessionInfo,
  Settings,
  UnreadMessage,
} from './resources';

const conversationFields = {
  id: isText,
  type: isText,
  name: isAbsentOr(isText),
  creator: isText,
  members: isListOf(isText),
  moderators: isListOf(isText),
  blocked: isBoolean,
  created_at: isText,
  updated_at: isText,
};

const unreadFields = {
  id: isText,
  conversation_id: isText,
  from: isText,
  to: isNullOr(isText),
  content: isText,
  timestamp: isText,
};

const messageFields = { ...unreadFields, read: isBoolean };

export const isConversation = isShape<Conversation>(conversationFields);
export const isUnreadMessage = isShape<UnreadMessage>(unreadFields);
export const isMessage = isShape<Message>(messageFields);
export const isPlacedMessage = isShape<PlacedMessage>({ ...messageFields, seq: isNumber });
export const isPlacedUnreadMessage = isShape<PlacedUnreadMessage>({ ...unreadFields, seq: isNumber });
export const isExtendedConversation = isShape<ExtendedConversation>({
  ...conversationFields,
  last_seq: isNumber,
  unread_count: isNumber,
  last_message: isNullOr(isMessage),
});
export const isFriendRequest = isShape<FriendRequest>({ id: isText, username: isText });
export const isFriendsList = isShape<FriendsList>({ friends: isListOf(isText), blocked: isListOf(isText) });
export const isSettings = isShape<Settings>({ dm: isShape<Settings['dm']>({ only_from_friends: isBoolean }) });
export const isCreatedChannel = isShape<CreatedChannel>({ id: isText, name: isText, creator: isText });
export const isSessionInfo = isShape<SessionInfo>({
  id: isText,
  browser: isNullOr(isText),
  ip: isNullOr(isText),
  city: isNull,
  country: isNull,
  created_at: isText,
  current: isBoolean,
});
export const isRenewalAnswer = isShape<RenewalAnswer>({ username: isText, ws_token: isText, token: isText });
export const isLoginAnswer = isShape<LoginAnswer>({
  username: isText,
  admin: isBoolean,
  ws_token: isText,
  token: isText,
  refresh_token: isText,
  expires_at: isText,
});
