import {
  capability,
  clientFrames,
  closeCodes as contractCloseCodes,
  serverFrames,
  type Capability as ContractCapability,
  type ClientFrameType,
  type ClientPayload,
  type Conversation as ContractConversation,
  type CreatedChannel as ContractCreatedChannel,
  type ExtendedConversation as ContractExtendedConversation,
  type FrameErrorCode as ContractFrameErrorCode,
  type FriendRequest as ContractFriendRequest,
  type FriendsList as ContractFriendsList,
  type LoginSession,
  type Message as ContractMessage,
  type PlacedMessage as ContractPlacedMessage,
  type PlacedUnreadMessage as ContractPlacedUnreadMessage,
  type RenewedSession,
  type ServerFrameType,
  type ServerPayload,
  type SessionInfo as ContractSessionInfo,
  type Settings as ContractSettings,
  type UnreadMessage as ContractUnreadMessage,
} from '@waggle/contracts';
import { closeCodes } from './close-codes';
import { isFrame } from './frame-guards';
import {
  capabilities,
  type Capability,
  type FrameErrorCode,
  type Frames,
  type FrameType,
  type SentFrames,
  type SentFrameType,
} from './frames';
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

type Extends<A, B> = [A] extends [B] ? true : false;

/** `true` where each may stand for the other. */
type Same<A, B> = [A] extends [B] ? Extends<B, A> : false;

/** The keys of which that is not so. */
type Different<Comparisons> = {
  [K in keyof Comparisons]: [Comparisons[K]] extends [true] ? never : K;
}[keyof Comparisons];

/** Compiles where nothing is different; says what is else. */
function nothing<Keys>(..._different: [Keys] extends [never] ? [] : [different: Keys]): void {
  expect(_different).toEqual([]);
}

it('has the types of the contract, both ways', () => {
  nothing<
    Different<{
      conversation: Same<Conversation, ContractConversation>;
      extendedConversation: Same<ExtendedConversation, ContractExtendedConversation>;
      message: Same<Message, ContractMessage>;
      placedMessage: Same<PlacedMessage, ContractPlacedMessage>;
      unreadMessage: Same<UnreadMessage, ContractUnreadMessage>;
      placedUnreadMessage: Same<PlacedUnreadMessage, ContractPlacedUnreadMessage>;
      friendRequest: Same<FriendRequest, ContractFriendRequest>;
      friendsList: Same<FriendsList, ContractFriendsList>;
      settings: Same<Settings, ContractSettings>;
      createdChannel: Same<CreatedChannel, ContractCreatedChannel>;
      sessionInfo: Same<SessionInfo, ContractSessionInfo>;
      login: Same<LoginAnswer, LoginSession>;
      renewal: Same<RenewalAnswer, RenewedSession>;
      capability: Same<Capability, ContractCapability>;
      errorCode: Same<FrameErrorCode, ContractFrameErrorCode>;
      frameType: Same<FrameType, ServerFrameType>;
      sentFrameType: Same<SentFrameType, ClientFrameType>;
    }>
  >();
});

it('has the frames of the contract, both ways', () => {
  nothing<Different<{ [T in ServerFrameType]: Same<Frames[T], ServerPayload<T>> }>>();
});

it('sends nothing that the contract does not have', () => {
  nothing<Different<{ [T in ClientFrameType]: Extends<SentFrames[T], ClientPayload<T>> }>>();
  expect(Object.keys(clientFrames())).toContain('typing');
});

it('would notice a difference', () => {
  type Missing = Different<{ right: Same<Message, ContractMessage>; wrong: Same<UnreadMessage, ContractMessage> }>;
  const missing: Missing = 'wrong';
  const check = () => {
    // @ts-expect-error: something is different, and it is not named
    nothing<Missing>();
  };
  expect([missing, typeof check]).toEqual(['wrong', 'function']);
});

it('knows all capabilities, and the close codes that it acts on', () => {
  expect([...capabilities].sort()).toEqual([...capability.options].sort());
  expect(contractCloseCodes).toMatchObject(closeCodes);
});

it('takes no payload for a frame that the contract would not take', () => {
  const envelope = { ref: undefined, place: undefined, cursor: undefined };
  for (const [type, schema] of Object.entries(serverFrames)) {
    expect([type, schema.safeParse({}).success, isFrame({ ...envelope, type, payload: {} })]).toEqual([
      type,
      false,
      false,
    ]);
  }
  expect(isFrame({ ...envelope, type: 'constructor', payload: {} })).toBe(false);
});
