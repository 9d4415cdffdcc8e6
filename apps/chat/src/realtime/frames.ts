import {
  frameReference,
  frameType,
  type FrameReference,
  type ServerFrameType,
  type ServerPayload,
} from '@waggle/contracts';
import { ChatError } from '../errors';

/** What lies around the payload of a frame from a client; undefined what it lacks or has in a wrong form. */
export interface Envelope {
  type: string | undefined;
  ref: FrameReference | undefined;
  payload: unknown;
}

/** The text of a frame to a client; `ref` is the client's own mark on the request that this answers. */
export function encodeFrame<T extends ServerFrameType>(
  type: T,
  payload: ServerPayload<T>,
  ref?: FrameReference,
): string {
  return JSON.stringify(ref === undefined ? { type, payload } : { type, ref, payload });
}

/** @throws ServiceError `invalid-frame` for what is not a JSON object. */
export function decodeFrame(data: Buffer, isBinary: boolean): Envelope {
  if (isBinary) throw new ChatError('invalid-frame', 'frames are JSON text, not binary');
  const frame = parseJson(data.toString('utf8'));
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame)) {
    throw new ChatError('invalid-frame', 'a frame is an object');
  }
  const { type, ref, payload }: { type?: unknown; ref?: unknown; payload?: unknown } = frame;
  return { type: frameType.safeParse(type).data, ref: frameReference.safeParse(ref).data, payload: payload ?? {} };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ChatError('invalid-frame', 'not JSON');
  }
}
