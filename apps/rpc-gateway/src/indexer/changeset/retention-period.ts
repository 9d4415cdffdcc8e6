const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Time beyond the retention for which an index that catches up creates notifications, in milliseconds. They are then
 * also complete as of the blocks of the last month, such as the last one whose digest is published.
 */
const marginMs = 31 * dayMs;

/** An index that catches up with a head of this time creates notifications from the returned time on. */
export function firstNotificationTime(headTime: Date, notificationDays: number): Date {
  return new Date(headTime.getTime() - notificationDays * dayMs - marginMs);
}

/**
 * Which notifications, mentions and texts the index has. They depend on the time of blocks alone, not on which blocks
 * are applied together, so that two indexes of the same chain have the same rows. An operation has the time of the
 * block before.
 */
export class RetentionPeriod {
  private readonly periodMs: number;

  /** @param notificationsFrom earlier operations create no notifications */
  constructor(
    notificationDays: number,
    private readonly notificationsFrom: Date,
  ) {
    this.periodMs = notificationDays * dayMs;
  }

  /** Whether an operation of this time creates notifications. */
  createsNotifications(time: Date): boolean {
    return time >= this.notificationsFrom;
  }

  /** Whether the text of a post is stored: until it expires, it decides which mentions of an edit are new. */
  storesTexts(time: Date): boolean {
    return time >= this.expiry(this.notificationsFrom);
  }

  /** Anything older is expired for an operation of this time, and is deleted after a block of this time. */
  expiry(time: Date): Date {
    return new Date(time.getTime() - this.periodMs);
  }
}
