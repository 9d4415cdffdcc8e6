import { frameReference, frameType, type FrameReference } from '@waggle/contracts';
import { ChatError } from '../errors';

/** A decoded frame from a client. `type` and `ref` are undefined if they are missing or invalid. */
export interface Envelope {
  type: string | undefined;
  ref: FrameReference | undefined;
  payload: unknown;
}

/** @throws ChatError `invalid-frame` if the data is not a JSON object. */
export function decodeFrame(data: Buffer, isBinary: boolean): Envelope {
  if (isBinary) throw new ChatError('invalid-frame', 'frames are JSON text, not binary');
  const frame = parseJson(data.toString('utf8'));
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame)) {
    throw new ChatError('invalid-frame', 'a frame is an object');
  }
  const { type, ref, payload }: { type?: unknown; ref?: unknown; payload?: unknown } = frame;
  return {
    type: frameType.safeParse(type).data,
    // Most frames have no `ref`, and the check is cheaper than the schema.
    ref: ref === undefined ? undefined : frameReference.safeParse(ref).data,
    payload: payload ?? {},
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ChatError('invalid-frame', 'not JSON');
  }
}
