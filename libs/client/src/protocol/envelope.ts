import { frameGuards } from './contract';
import type { AnyFrame, FrameType, StreamPosition } from './frames';
import { isNumber, isObject, isString, parseJson } from './guards';

/** A frame whose type or payload may be unknown to this version; its cursor is valid in any case. */
export interface Envelope {
  type: string;
  payload: unknown;
  ref: unknown;
  position: StreamPosition | undefined;
  cursor: string | undefined;
}

/** Parses a frame. Returns undefined if the data is not one. */
export function readEnvelope(data: unknown): Envelope | undefined {
  const value = isString(data) ? parseJson(data) : undefined;
  if (!isObject(value)) return undefined;
  const { type, payload, ref, stream, seq, cursor, by, timestamp } = value;
  if (!isString(type)) return undefined;
  const made = isString(by) && isString(timestamp) ? { by, timestamp } : {};
  return {
    type,
    payload,
    ref,
    position: isString(stream) && isNumber(seq) ? { stream, seq, ...made } : undefined,
    cursor: isString(cursor) ? cursor : undefined,
  };
}

const frameTypes: ReadonlySet<string> = new Set(Object.keys(frameGuards));

/** Whether the type is known and the payload matches it. */
export function isFrame(envelope: Envelope): envelope is AnyFrame {
  return isFrameType(envelope.type) && frameGuards[envelope.type](envelope.payload);
}

function isFrameType(type: string): type is FrameType {
  return frameTypes.has(type);
}
