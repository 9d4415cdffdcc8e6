import { type FramePosition, type FrameReference, type ServerFrameType, type ServerPayload } from '@waggle/contracts';

/** A frame to clients. It is encoded once for all connections that get the same bytes. */
export class ServerFrame<T extends ServerFrameType = ServerFrameType> {
  private readonly payloadText: string;
  private plain: Buffer | undefined;
  private positioned: Buffer | undefined;

  constructor(
    private readonly type: T,
    payload: ServerPayload<T>,
    readonly position?: FramePosition,
  ) {
    this.payloadText = JSON.stringify(payload);
  }

  /** Whether the frame may be dropped if a connection is slow. */
  get isDroppable(): boolean {
    return this.type === 'typing' || this.type === 'presence-changed';
  }

  /**
   * Returns the frame as bytes on the wire.
   * @param withPosition for a connection with the capability `sync`
   * @param ref the client's reference of the request to which this frame replies
   * @param cursor replaces that of the position, for a connection that has not been delivered everything before it
   */
  bytes(withPosition: boolean, ref?: FrameReference, cursor?: string): Buffer {
    const isPositioned = withPosition && this.position !== undefined;
    if (ref !== undefined || (isPositioned && cursor !== undefined))
      return toWire(this.text(isPositioned, ref, cursor));
    if (isPositioned) return (this.positioned ??= toWire(this.text(true)));
    return (this.plain ??= toWire(this.text(false)));
  }

  private text(withPosition: boolean, ref?: FrameReference, cursor = this.position?.cursor): string {
    const position = this.position && { ...this.position, cursor };
    const refText = ref === undefined ? '' : `,"ref":${JSON.stringify(ref)}`;
    const positionText = withPosition && position !== undefined ? `,${JSON.stringify(position).slice(1, -1)}` : '';
    return `{"type":"${this.type}"${refText}${positionText},"payload":${this.payloadText}}`;
  }
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
