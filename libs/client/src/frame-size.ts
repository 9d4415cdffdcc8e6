/** Maximum size of a frame without its payload. */
const envelopeBytes = 256;

/** Returns an upper bound of the size of a frame with the given payload, in bytes. */
export function frameSizeOf(payload: object): number {
  return new TextEncoder().encode(JSON.stringify(payload)).length + envelopeBytes;
}
