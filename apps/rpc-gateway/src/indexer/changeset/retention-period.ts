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

/** How long the index keeps what it does not need for ever, in days of block time. */
export interface RetentionSettings {
  readonly notificationDays: number;
  /** Of post bodies, at least `notificationDays`; null for ever. */
  readonly bodyDays: number | null;
  /** Whether votes are kept when their post is paid. */
  readonly keepsVotes: boolean;
}

/**
 * Which notifications, mentions and texts the index has. They depend on the time of blocks alone, not on which blocks
 * are applied together, so that two indexes of the same chain have the same rows. An operation has the time of the
 * block before.
 */
export class RetentionPeriod {
  /** @param from earlier operations create no notifications, and no earlier text is stored */
  constructor(
    private readonly settings: RetentionSettings,
    private readonly from: { readonly notificationsFrom: Date; readonly bodiesFrom: Date },
  ) {}

  /** Whether votes are kept when their post is paid. */
  get keepsVotes(): boolean {
    return this.settings.keepsVotes;
  }

  /** Whether an operation of this time creates notifications. */
  createsNotifications(time: Date): boolean {
    return time >= this.from.notificationsFrom;
  }

  /** Whether the text of a post is stored. Until its mentions expire, it decides which mentions of an edit are new. */
  storesTexts(time: Date): boolean {
    return time >= this.from.bodiesFrom;
  }

  /** Anything older is expired for an operation of this time, and is deleted after a block of this time. */
  expiry(time: Date): Date {
    return daysBefore(time, this.settings.notificationDays);
  }

  /** As `expiry`, for post bodies; null if they never expire. */
  bodyExpiry(time: Date): Date | null {
    const { bodyDays } = this.settings;
    return bodyDays === null ? null : daysBefore(time, bodyDays);
  }
}

function daysBefore(time: Date, days: number): Date {
  return new Date(time.getTime() - days * dayMs);
}
