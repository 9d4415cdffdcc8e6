/** What Hive's APIs return instead of a time that does not exist. */
export const neverText = '1969-12-31T23:59:59';

/** Formats a time in UTC, without the zone. */
export function timeText(time: Date): string {
  return time.toISOString().slice(0, 19);
}

const weekMs = 7 * 24 * 60 * 60 * 1_000;

/** When a post of that time is paid, if it is not paid yet. */
export function cashoutTime(created: Date): Date {
  return new Date(created.getTime() + weekMs);
}

/** When a post was created that is paid at a time. */
export function createdBefore(cashout: Date): Date {
  return new Date(cashout.getTime() - weekMs);
}
