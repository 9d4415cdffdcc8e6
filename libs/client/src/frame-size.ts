/** What a frame is larger than its payload, at most. */
const envelopeBytes = 256;

/** How large a frame with that payload may be, in bytes. */
export function frameSizeOf(payload: object): number {
  return new TextEncoder().encode(JSON.stringify(payload)).length + envelopeBytes;
}
