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
  extendedClientFrames,
  type DocumentedClientFrameType,
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
  pageCursor,
  pageQuery,
  type PageQuery,
  loginQuery,
  type LoginQuery,
  extendableQuery,
  type ExtendableQuery,
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
  extendedServerFrames,
  type DocumentedServerFrameType,
  framePlace,
  type FramePlace,
} from './chat/server-frames';
export { tooLarge } from './chat/values';
export { delegationRestErrors, type DelegationRestErrorCode } from './delegation/errors';
export { delegationExportMost, delegationPage } from './delegation/limits';
export {
  balanceQuery,
  type BalanceQuery,
  delegationHistoryQuery,
  type DelegationHistoryQuery,
  delegationPairQuery,
  type DelegationPairQuery,
  delegationsQuery,
  type DelegationsQuery,
  pendingReturnsQuery,
  type PendingReturnsQuery,
} from './delegation/requests';
export {
  currentDelegation,
  type CurrentDelegation,
  delegationBalance,
  type DelegationBalance,
  delegationChange,
  type DelegationChange,
  delegationPair,
  type DelegationPair,
  delegationStatus,
  type DelegationStatus,
  pendingReturn,
  type PendingReturn,
} from './delegation/resources';
export {
  videoAuthError,
  type VideoAuthErrorBody,
  type VideoAuthErrorCode,
  videoAuthErrorOf,
  videoAuthRestErrors,
} from './video-auth/error-codes';
export {
  proofPayload,
  type ProofPayload,
  proofPayloadMostLength,
  videoAuthority,
  videoNetwork,
} from './video-auth/proof-payload';
export {
  challengeBody,
  type ChallengeBody,
  videoLoginAliasBody,
  type VideoLoginAliasBody,
  videoLoginBody,
  type VideoLoginBody,
  videoSessionPath,
  type VideoSessionPath,
} from './video-auth/requests';
export {
  challenge,
  type Challenge,
  publicTokenKey,
  type PublicTokenKey,
  publicTokenKeys,
  type PublicTokenKeys,
  videoLogin,
  type VideoLogin,
  videoSession,
  type VideoSession,
  videoSessionCheck,
  type VideoSessionCheck,
  videoTokenClaims,
  type VideoTokenClaims,
} from './video-auth/resources';
export {
  rpcBatchMost,
  rpcErrorObject,
  type RpcErrorObject,
  rpcRequest,
  type RpcRequest,
  rpcResponse,
  type RpcResponse,
} from './rpc-gateway/json-rpc';
export {
  answersTooLong,
  assertionFailed,
  internalError,
  invalidRequest,
  notJsonRpc2,
  tooManyCalls,
  tooMuchUnread,
  unknownMethod,
  unknownNamespace,
  unparsable,
} from './rpc-gateway/refusals';
export { RpcError, rpcErrorCodes } from './rpc-gateway/rpc-error';
export { upstreamFault, type UpstreamFaultKind, upstreamFaultKinds } from './rpc-gateway/upstream-faults';
