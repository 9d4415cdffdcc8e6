/** Time as Hive writes it: UTC, whole seconds, no zone. Comparing the texts compares the times. */
export type HiveTime = string;

/** What Hive writes as the time of an event that has not happened. */
export const neverHappened: HiveTime = '1970-01-01T00:00:00';

export function hiveTime(seconds: number): HiveTime {
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}

/** Returns seconds since 1970; NaN for an invalid time. */
export function secondsOf(time: HiveTime): number {
  return Date.parse(`${time}Z`) / 1000;
}
