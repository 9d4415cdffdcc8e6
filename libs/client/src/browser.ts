// For platforms that have a WebSocket: the same as ./index, without `ws`.
import { Chat as AnyChat } from './chat';
import type { WebSocketConstructor } from './connection/frame-socket';
import type { ChatOptions } from './options';

export {
  ChatApi,
  type ChangesPage,
  type ExportLine,
  type Extended,
  type HistoryOptions,
  type HistoryPage,
  type NewerHistoryPage,
  type SearchOptions,
  type SearchResultsPage,
  type SeqOptions,
} from './api/chat-api';
export { type ChatState, type StateOptions } from './api/fetch-state';
export { logIn, type LogInOptions, restoreSession } from './api/log-in';
export { RequestRetries } from './api/request-retries';
export { Session, type SessionOptions, type SessionTokens } from './api/session';
export { textOf, urlsOf } from './attachments';
export { type BackoffOptions } from './backoff';
export { type ConnectionState } from './chat-core';
export { type LostReason } from './connection/connection';
export { type WebSocketConstructor, type WebSocketLike } from './connection/frame-socket';
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
export { type ChatOptions, type TimeLimits } from './options';
export {
  type Attachment,
  type Capability,
  type Conversation,
  type ConversationChange,
  type CreatedChannel,
  type Erasure,
  type ExtendedConversation,
  type Frames,
  type FriendRequest,
  type FriendsList,
  type Message,
  type Mention,
  type MentioningMessage,
  type MessageRevision,
  type Pin,
  type Receipt,
  type Draft,
  type SearchHit,
  type SearchResults,
  type MessageWithSeq,
  type Quote,
  type Reaction,
  type ReactionCount,
  type RichMessage,
  type UnreadMessageWithSeq,
  type SentFrames,
  type SessionInfo,
  type Settings,
  type UnreadCounts,
  type UnreadMessage,
} from './protocol/contract';
export {
  type ConversationType,
  type FrameError,
  type FrameErrorCode,
  type FrameType,
  type ResumeFailure,
  type SentFrameType,
  type StreamPosition,
} from './protocol/frames';
export { type ChatEvents } from './receiving/events';
export { createClientId, type OutboxLimits, type OutboxStore, type OutgoingMessage } from './sending/outbox';
export { type StoredMessage } from './sending/pending-message';
export { type MessageOptions, type SendOptions } from './sending/sender';

/** The WebSocket of the platform. */
declare const WebSocket: WebSocketConstructor;

/** A chat over the platform's WebSocket, unless the options have another. */
export class Chat extends AnyChat {
  constructor(options: ChatOptions) {
    super({ ...options, WebSocket: options.WebSocket ?? WebSocket });
  }
}
