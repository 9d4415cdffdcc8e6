export { accountName, notAnAccountName } from './account-name';
export { restError, type RestError } from './errors';
export {
  clientFrames,
  type ClientFrames,
  type ClientFrameType,
  type ClientPayload,
  frameReference,
  type FrameReference,
  frameType,
  capability,
  type Capability,
  clientIdentifier,
} from './chat/client-frames';
export { closeCodes, type CloseReason } from './chat/close-codes';
export { frameErrorCode, type FrameErrorCode, chatRestErrors, type ChatRestErrorCode } from './chat/error-codes';
export {
  type ChatLimits,
  defaultChatLimits,
  historyPage,
  unreadMessagesMost,
  conversationsMost,
  reauthenticationNoticeMs,
} from './chat/limits';
export {
  loginQuery,
  type LoginQuery,
  conversationQuery,
  type ConversationQuery,
  historyQuery,
  type HistoryQuery,
  settingsBody,
  type SettingsBody,
  channelBody,
  type ChannelBody,
  revokeSessionBody,
  type RevokeSessionBody,
} from './chat/requests';
export {
  loginSession,
  type LoginSession,
  renewedSession,
  type RenewedSession,
  sessionInfo,
  type SessionInfo,
  sessionRevoked,
  type SessionRevoked,
  conversationType,
  type ConversationType,
  conversation,
  type Conversation,
  unreadMessage,
  type UnreadMessage,
  message,
  type Message,
  placedMessage,
  type PlacedMessage,
  placedUnreadMessage,
  type PlacedUnreadMessage,
  extendedConversation,
  type ExtendedConversation,
  friendRequest,
  type FriendRequest,
  friendsList,
  type FriendsList,
  settings,
  type Settings,
  createdChannel,
  type CreatedChannel,
} from './chat/resources';
export {
  serverFrames,
  type ServerFrames,
  type ServerFrameType,
  type ServerPayload,
  framePlace,
  type FramePlace,
} from './chat/server-frames';
export { tooLarge } from './chat/values';
