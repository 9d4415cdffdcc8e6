import { type NotificationType, notificationTypes, numberOfType } from './notification-types';

/** The issuer of a cursor: an index like this one, or a node of the network. */
export type CursorSource = 'index' | 'node';

/** The genesis time of Hive. Seconds are counted from here. */
const epochMs = Date.UTC(2016, 2, 24, 16);

const typeBits = 6n;
const positionBits = 22n;

/**
 * The difference of consecutive ids, so that JavaScript can distinguish them until the year 2050: it rounds a JSON
 * number of 58 bits to a multiple of 32.
 */
const positionStep = 32n;

/** Maximum number of notifications of one type in one block. A block of 64 KiB cannot cause as many. */
export const positionsPerBlock = 2 ** 16;

/**
 * The highest bit of the position is set in every id of the index. The nodes of the network number the notifications of
 * a block with the same 22 bits from 0 on and never get as far, so that an id shows whether it comes from an index or a
 * node.
 */
const indexBit = 1n << (positionBits - 1n);

/**
 * Returns an id that ascends with time, then type, then position.
 *
 * @param time of the previous block, in whole seconds
 * @param position among the notifications of the type in the block: 0, 1, 2, … below `positionsPerBlock`
 */
export function notificationId(time: Date, type: NotificationType, position: number): bigint {
  const prefix = (secondsOf(time) << typeBits) | BigInt(numberOfType(type));
  return (prefix << positionBits) | indexBit | (BigInt(position) * positionStep);
}

/** The lowest id of a notification at this time or later. */
export function firstNotificationId(time: Date): bigint {
  return secondsOf(time) << (typeBits + positionBits);
}

/** Whether the id comes from an index rather than a node, even if a client rounded it. */
export function isIndexId(id: bigint): boolean {
  return (id & indexBit) !== 0n;
}

/** Below every id: the first block of Hive is five minutes after the epoch. */
const firstId = 1n << (typeBits + positionBits);

/** Above every id. */
const endOfIds = 2n ** 63n - 1n;

/**
 * Returns the source of the last id of the client's previous page; undefined for the first page, and for numbers that
 * are no id of a notification, such as 1.
 */
export function sourceOfLastId(last: bigint | undefined): CursorSource | undefined {
  if (last === undefined || last >= endOfIds || last < firstId) return undefined;
  return isIndexId(last) ? 'index' : 'node';
}

/**
 * Returns the exclusive upper bound of the ids on a page.
 *
 * @param last the last id of the previous page as the client sent it, which may have lost its last bits as a
 * floating-point number; undefined for the first page
 */
export function idsBelow(last: bigint | undefined): bigint {
  if (last === undefined) return endOfIds;
  // Rounding returns the id itself, whether or not the client has rounded it. The bounds keep it in the range of
  // `bigint` columns.
  const id = BigInt(Number(last));
  if (id < 0n) return 0n;
  return id < endOfIds ? id : endOfIds;
}

/** Decodes an id. @throws RangeError if it has an unknown type */
export function typeAndTimeOf(id: bigint): { type: NotificationType; time: Date } {
  const type = notificationTypes[Number((id >> positionBits) & 63n) - 1];
  if (type === undefined) throw new RangeError(`${id} is not the id of a notification`);
  return { type, time: new Date(epochMs + Number(id >> (positionBits + typeBits)) * 1_000) };
}

/** Returns 0 for times before the epoch. */
function secondsOf(time: Date): bigint {
  return BigInt(Math.max(0, Math.floor((time.getTime() - epochMs) / 1_000)));
}
