import type { Conversation, Frames, SentFrames } from './contract';

export type FrameType = keyof Frames;
export type SentFrameType = keyof SentFrames;

/** The reply to a frame that failed. */
export type FrameError = Frames['error'];
export type FrameErrorCode = FrameError['code'];

/** Why a connection could not resume. */
export type ResumeFailure = Frames['resume-failed']['reason'];

/** `dm`: two accounts. `group`: by invitation. `channel`: open to all. */
export type ConversationType = Conversation['type'];

/** The position of an entry in the stream of a conversation (by its id) or of an account (by its name). */
export interface StreamPosition {
  stream: string;
  /** Increases within the stream. */
  seq: number;
  /** Who made a change that `ChatApi.changesPage` lists, and when, in ISO 8601. Undefined for other entries. */
  by?: string | undefined;
  timestamp?: string | undefined;
}

/** A frame of the service. Durable frames have a position and a cursor on connections with `sync`. */
export interface Frame<T extends FrameType> {
  type: T;
  payload: Frames[T];
  ref: unknown;
  position: StreamPosition | undefined;
  cursor: string | undefined;
}

export type AnyFrame = { [T in FrameType]: Frame<T> }[FrameType];

export function isOneOf<T extends FrameType>(frame: AnyFrame, types: readonly T[]): frame is AnyFrame & Frame<T> {
  return types.some((type) => type === frame.type);
}
