export { accountName, notAnAccountName } from './account-name';
export { restError, type RestError } from './rest-error';
export {
  clientFrames,
  type ClientFrameType,
  type ClientPayload,
  frameReference,
  type FrameReference,
  frameType,
  capability,
  type Capability,
  type BaseClientFrameType,
  clientIdentifier,
} from './chat/client-frames';
export {
  type ChatRestErrorCode,
  chatRestErrors,
  closeCodes,
  type CloseReason,
  frameErrorCode,
  type FrameErrorCode,
} from './chat/error-codes';
export {
  type ChatLimits,
  defaultChatLimits,
  historyPage,
  maxUnreadMessages,
  maxConversations,
  maxListedMembers,
  maxMembersPage,
  reauthenticationNoticeMs,
} from './chat/limits';
export {
  maxInstantMs,
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
  membersQuery,
  type MembersQuery,
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
  messageWithSeq,
  type MessageWithSeq,
  unreadMessageWithSeq,
  type UnreadMessageWithSeq,
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
  type ServerFrameType,
  type ServerPayload,
  extendedServerFrames,
  type BaseServerFrameType,
  framePosition,
  type FramePosition,
  isDurable,
  serverFrameDescriptions,
} from './chat/server-frames';
export { identifier } from './chat/values';
export { tooLarge } from './chat/written-text';
export { delegationRestErrors, type DelegationRestErrorCode } from './delegation/error-codes';
export {
  balanceQuery,
  type BalanceQuery,
  delegationHistoryQuery,
  type DelegationHistoryQuery,
  delegationPage,
  delegationPairQuery,
  type DelegationPairQuery,
  delegationsQuery,
  type DelegationsQuery,
  maxDelegationExport,
  pendingReturnsQuery,
  type PendingReturnsQuery,
} from './delegation/requests';
export {
  currentDelegation,
  delegationBalance,
  delegationChange,
  delegationPair,
  delegationStatus,
  type DelegationStatus,
  pendingReturn,
} from './delegation/resources';
export {
  toVideoAuthErrorBody,
  videoAuthErrorBody,
  type VideoAuthErrorBody,
  type VideoAuthErrorCode,
  videoAuthRestErrors,
} from './video-auth/errors';
export {
  proofPayload,
  type ProofPayload,
  maxProofPayloadLength,
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
  videoSessionsQuery,
  type VideoSessionsQuery,
  videoSessionPath,
  type VideoSessionPath,
} from './video-auth/requests';
export {
  challenge,
  type Challenge,
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
export { maxRpcBatch, rpcRequest, rpcResponse } from './rpc-gateway/json-rpc';
export {
  responsesTooLong,
  assertionFailed,
  internalError,
  invalidRequest,
  notJsonRpc2,
  tooManyCalls,
  tooMuchUnread,
  unknownMethod,
  unknownNamespace,
  unparsable,
} from './rpc-gateway/errors';
export { gatewayRestErrors, type GatewayRestErrorCode } from './rpc-gateway/error-codes';
export { indexIncomplete, indexIncompleteKind, RpcError, rpcErrorCodes, type UnmetNeed } from './rpc-gateway/rpc-error';
export { upstreamError, type UpstreamErrorKind, upstreamErrorKinds } from './rpc-gateway/upstream-errors';
