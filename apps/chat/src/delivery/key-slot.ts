/** Number of slots of a Redis Cluster. */
export const slotsCount = 16_384;

/** What each value of the upper byte adds to a CRC-16/XMODEM. */
const remainders = Uint16Array.from({ length: 256 }, (_none, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

/**
 * Returns the slot of a key or channel in a Redis Cluster: CRC-16/XMODEM of its UTF-8 bytes, or only of those between its first pair of
 * braces unless these are empty (Redis Cluster Specification, "Key distribution model").
 */
export function slotOf(key: string): number {
  let crc = 0;
  for (const byte of Buffer.from(hashed(key))) crc = ((crc << 8) & 0xffff) ^ (remainders[(crc >> 8) ^ byte] ?? 0);
  return crc % slotsCount;
}

function hashed(key: string): string {
  const start = key.indexOf('{') + 1;
  const end = key.indexOf('}', start);
  return start > 0 && end > start ? key.slice(start, end) : key;
}
