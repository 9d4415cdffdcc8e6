/** Of the follower's checkpoint, its lock and the label of its metrics. */
export const followerName = 'delegation';

/** The same of the backfill. */
export const backfillName = 'delegation-backfill';
