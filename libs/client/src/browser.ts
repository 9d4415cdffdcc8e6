// For platforms that have a WebSocket: the same as ./index, without `ws`.
export { Chat } from './browser-chat';
export { type BackoffOptions } from './backoff';
export { createClientId } from './client-id';
export { ChatApi, type Extended, type HistoryOptions, type HistoryPage } from './chat-api';
export { type ConnectionState } from './chat-core';
export {
  type Capability,
  type Conversation,
  type CreatedChannel,
  type ExtendedConversation,
  type Frames,
  type FriendRequest,
  type FriendsList,
  type Message,
  type MessageWithSeq,
  type UnreadMessageWithSeq,
  type SentFrames,
  type SessionInfo,
  type Settings,
  type UnreadMessage,
} from './contract';
export { type Listener } from './emitter';
export {
  ChatClientError,
  ClientIdInUseError,
  ConnectionLostError,
  EndedError,
  type EndReason,
  OutboxFullError,
  RejectedError,
  TimeLimitError,
  UnexpectedResponseError,
  UnreachableError,
} from './errors';
export { type ChatEvents } from './events';
export { type LostReason } from './resumption';
export { type ChatState, type StateOptions } from './fetch-state';
export {
  type ConversationType,
  type FrameError,
  type FrameErrorCode,
  type FrameType,
  type ResumeFailure,
  type SentFrameType,
  type StreamPosition,
} from './frames';
export { logIn, type LogInOptions, restoreSession } from './log-in';
export { type ChatOptions, type TimeLimits } from './options';
export { type OutboxLimits, type OutboxStore, type OutgoingMessage } from './outbox';
export { RequestRetries } from './request-retries';
export { type SendOptions } from './sender';
export { type StoredMessage } from './send-result';
export { Session, type SessionOptions, type SessionTokens } from './session';
export { type WebSocketConstructor, type WebSocketLike } from './web-socket';
