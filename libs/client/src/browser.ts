// For platforms with a WebSocket of their own. The same as ./index, without `ws`.
export { Chat } from './browser-chat';
export { type BackoffBounds } from './backoff';
export { createClientId } from './client-id';
export { ChatApi, type Extended, type HistoryOptions } from './chat-api';
export { type ConnectionState } from './core';
export { type Listener } from './emitter';
export {
  ChatClientError,
  ClientIdInUseError,
  ConnectionLostError,
  EndedError,
  type EndReason,
  OutboxFullError,
  RefusedError,
  TimeLimitError,
  UnexpectedAnswerError,
  UnreachableError,
} from './errors';
export { type ChatEvents } from './events';
export {
  type Capability,
  type FrameError,
  type FrameErrorCode,
  type Frames,
  type FrameType,
  type Place,
  type ResumeFailure,
  type SentFrames,
  type SentFrameType,
} from './frames';
export { logIn, type LogInOptions, restoreSession } from './log-in';
export { type ChatOptions, type TimeLimits } from './options';
export { type OutboxLimits, type OutboxStore, type OutgoingMessage } from './outbox';
export {
  type Conversation,
  type ConversationType,
  type CreatedChannel,
  type ExtendedConversation,
  type FriendRequest,
  type FriendsList,
  type Message,
  type PlacedMessage,
  type PlacedUnreadMessage,
  type SessionInfo,
  type Settings,
  type UnreadMessage,
} from './resources';
export { type SendOptions } from './sender';
export { type StoredMessage } from './sending';
export { Session, type SessionOptions, type SessionTokens } from './session';
export { type ChatState, type LostReason, type StateOptions } from './state';
export { type WebSocketConstructor, type WebSocketLike } from './web-socket';
