import {
  type Capability,
  type FramePosition,
  type FrameReference,
  type ServerFrameType,
  type ServerPayload,
} from '@waggle/contracts';

/** A connection, as far as its frames depend on it. */
interface Receiver {
  has(capability: Capability): boolean;
}

/** A frame to clients. It is encoded once for all connections that get the same bytes. */
export class ServerFrame<T extends ServerFrameType = ServerFrameType> {
  private readonly payloadText: string;
  private readonly richText: string | undefined;
  /** By `variant`. */
  private readonly encoded: (Buffer | undefined)[] = [];

  /**
   * @param rich what the payload has in addition for connections with the capability `rich`
   * @throws Error if the payload cannot be serialized
   */
  constructor(
    readonly type: T,
    payload: ServerPayload<T>,
    readonly position?: FramePosition,
    rich?: object,
  ) {
    this.payloadText = JSON.stringify(payload);
    this.richText = rich && membersOf(rich);
  }

  /**
   * Returns the frame as bytes on the wire.
   * @param receiver has the position with the capability `sync`, and the rich fields with `rich`
   * @param ref the client's reference of the request to which this frame replies
   * @param cursor replaces that of the position, for a connection that has not been delivered everything before it
   */
  bytes(receiver: Receiver, ref?: FrameReference, cursor?: string): Buffer {
    const position = receiver.has('sync') ? this.position : undefined;
    const rich = receiver.has('rich') ? this.richText : undefined;
    if (ref !== undefined || (position !== undefined && cursor !== undefined))
      return toWire(this.text(rich, position && { ...position, cursor: cursor ?? position.cursor }, ref));
    const variant = (position === undefined ? 0 : 1) + (rich === undefined ? 0 : 2);
    return (this.encoded[variant] ??= toWire(this.text(rich, position)));
  }

  private text(rich?: string, position?: FramePosition, ref?: FrameReference): string {
    const refText = ref === undefined ? '' : `,"ref":${JSON.stringify(ref)}`;
    const positionText = position === undefined ? '' : `,${membersOf(position)}`;
    const richText = rich === undefined ? '' : `,${rich}`;
    const payloadText = this.payloadText.slice(0, -1);
    return `{"type":"${this.type}"${refText}${positionText},"payload":${payloadText}${richText}}}`;
  }
}

/** Returns the members of an object in JSON, without the braces. */
function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

/**
 * Encodes a text as one unmasked WebSocket frame (RFC 6455, 5.2). It is written whole, so frames that `ws` writes
 * cannot interleave.
 */
function toWire(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headerLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const bytes = Buffer.allocUnsafe(headerLength + length);
  bytes[0] = 0x81;
  if (headerLength === 2) {
    bytes[1] = length;
  } else if (headerLength === 4) {
    bytes[1] = 126;
    bytes.writeUInt16BE(length, 2);
  } else {
    bytes[1] = 127;
    bytes.writeBigUInt64BE(BigInt(length), 2);
  }
  bytes.write(text, headerLength);
  return bytes;
}
