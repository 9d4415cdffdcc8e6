import {
  frameEnvelope,
  type FrameEnvelope,
  type FrameReference,
  type ServerFrameType,
  type ServerPayload,
} from '@waggle/contracts';
import { ServiceError } from '@waggle/service';

/** The text of a frame to a client; `ref` is the client's own mark on the request that this answers. */
export function encodeFrame<T extends ServerFrameType>(
  type: T,
  payload: ServerPayload<T>,
  ref?: FrameReference,
): string {
  return JSON.stringify(ref === undefined ? { type, payload } : { type, ref, payload });
}

/** @throws ServiceError `invalid-frame` for what is not a JSON object with a `type` and, where present, an object `payload`. */
export function decodeFrame(data: Buffer, isBinary: boolean): FrameEnvelope {
  if (isBinary) throw new ServiceError('invalid-frame', 'frames are JSON text, not binary');
  const result = frameEnvelope.safeParse(parseJson(data.toString('utf8')));
  if (!result.success)
    throw new ServiceError('invalid-frame', 'a frame is an object with a string type and an object payload');
  return result.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('invalid-frame', 'not JSON');
  }
}
