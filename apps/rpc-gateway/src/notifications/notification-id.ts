import { type NotificationType, notificationTypes, numberOfType } from './notification-types';

/** From here on seconds are counted. */
const epochMs = Date.UTC(2016, 2, 24, 16);

const typeBits = 6n;
const placeBits = 22n;

/**
 * Places in a block are this far apart: so ids are numbers that JavaScript tells apart, up to the year 2050. It reads a
 * JSON number of 57 bits as the nearest one that is divisible by 32.
 */
const placeStep = 32n;

/** Of one type in one block; 64 KiB of operations cannot make as many. */
export const placesPerBlock = 2 ** 17;

/**
 * Ascends with time, then type, then place.
 *
 * @param time of the block before, in whole seconds
 * @param place among those of the type in the block: 0, 1, 2, … below `placesPerBlock`
 */
export function notificationId(time: Date, type: NotificationType, place: number): bigint {
  return (((secondsOf(time) << typeBits) | BigInt(numberOfType(type))) << placeBits) | (BigInt(place) * placeStep);
}

/** The least id that a notification of this time or a later one may have. */
export function firstNotificationId(time: Date): bigint {
  return secondsOf(time) << (typeBits + placeBits);
}

/** Above every id. */
const endOfIds = 2n ** 63n - 1n;

/**
 * Where a page ends that goes on behind an item: ids are below this.
 *
 * @param last the id as a client says it, which may have gone through a floating-point number and lost its last bits;
 *   undefined for the first page
 */
export function idsBelow(last: bigint | undefined): bigint {
  if (last === undefined || last >= endOfIds) return endOfIds;
  // The database refuses what is below its numbers.
  if (last < 0n) return 0n;
  // Every id is a number of its own: this finds the one whose digits these are, all of them or rounded.
  return BigInt(Number(last));
}

/** What an id says. @throws RangeError for one that is of no type */
export function typeAndTimeOf(id: bigint): { type: NotificationType; time: Date } {
  const type = notificationTypes[Number((id >> placeBits) & 63n) - 1];
  if (type === undefined) throw new RangeError(`${id} is no id of a notification`);
  return { type, time: new Date(epochMs + Number(id >> (placeBits + typeBits)) * 1_000) };
}

/** Times before the epoch count as the epoch. */
function secondsOf(time: Date): bigint {
  return BigInt(Math.max(0, Math.floor((time.getTime() - epochMs) / 1_000)));
}
