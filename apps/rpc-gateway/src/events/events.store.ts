import { checkpointTable, type RowIn, type Queryable, sql, Statement } from '@waggle/service';
import { followerName } from '../index-state/index-state';
import { firstNotificationId } from '../notifications/notification-id';
import { notificationColumns, selectNotifications } from '../notifications/notifications.statements';
import { indexNameOf } from './event-id';
import { type NotificationEvent, toEvent } from './notification-event';
import { accountTable } from '../accounts/account.entity';
import { indexStateTable } from '../index-state/index-state.entity';
import { notificationTable } from '../notifications/notification.entity';

/**
 * Maximum time, in block time, that a client's last event may be ahead of this index. Another instance may have sent it
 * from a database that is ahead of this one: the primary of this read replica, or the primary before a failover. The
 * index will contain the same event.
 */
const maxAheadMs = 10 * 60_000;

/** Events per statement: reading and formatting them takes some 10 ms. */
const pageSize = 500;

/** The highest `bigint`. */
const maxId = '9223372036854775807';

/**
 * Reads events together with the state of the index, as of the same moment. A row without a notification if there are
 * none; no row without an index.
 */
const selectEvents = (from: string) => `
  SELECT s.index_id, s.notifications_from, c.block_time, e.*,
    extract(epoch FROM clock_timestamp() - c.applied_at)::float8 AS commit_age_seconds
  FROM index_state s
  LEFT JOIN chain_checkpoint c ON c.name = '${followerName}'
  LEFT JOIN LATERAL (${selectNotifications(from)}) e ON true
  ORDER BY e.id`;

const columns = {
  index_id: sql.notNull(indexStateTable.indexId),
  notifications_from: sql.notNull(indexStateTable.notificationsFrom),
  block_time: checkpointTable.blockTime,
  ...notificationColumns,
  commit_age_seconds: sql.nullable(sql.float8),
};

/** `$1`: ids are above; null for none. */
const eventsAfter = new Statement({
  name: 'events-after',
  text: selectEvents(`(SELECT * FROM notification WHERE id > $1 ORDER BY id LIMIT ${pageSize}) n`),
  parameters: { after: sql.nullable(notificationTable.id) },
  columns,
});

/**
 * The ids for each account are read by an index-only scan, in order.
 *
 * @param limit of the ids of each account, hidden from the planner: if it expects fewer than a visible limit, it reads
 * and sorts all notifications of the account for each page
 */
const idsOfAccounts = (condition: string, limit: number) => `
  SELECT found.id FROM account a CROSS JOIN LATERAL (
    SELECT id FROM notification WHERE recipient_id = a.id AND ${condition} ORDER BY id LIMIT (SELECT ${limit}::int)
  ) found
  WHERE a.name = ANY ($1::text[]) ORDER BY found.id`;

/**
 * Number of ids that are read of each account to find an id that the page does not exceed. With 20, a page of 1,000
 * accounts reads at most some 33,000 ids, however their notifications are distributed; without that bound 500,000, in
 * half a second.
 */
const idsForBound = 20;

/** `$1` accounts; `$2`: ids are above. Chooses the ids, and then reads only those rows. */
const eventsOfAccountsAfter = new Statement({
  name: 'events-of-accounts-after',
  text: selectEvents(`(
      ${idsOfAccounts(
        `id > $2 AND id <= coalesce((
          ${idsOfAccounts('id > $2', idsForBound)} OFFSET ${pageSize - 1} LIMIT 1
        ), ${maxId})`,
        pageSize,
      )} LIMIT ${pageSize}
    ) page
    JOIN notification n ON n.id = page.id`),
  parameters: { accounts: sql.arrayOf(accountTable.name), after: notificationTable.id },
  columns,
});

/** Consecutive events, and the state of the index that they were read from. */
export interface EventPage {
  readonly index: string;
  /** Ascending by id. Several pages are needed if it is full. */
  readonly events: readonly NotificationEvent[];
  readonly isFull: boolean;
  /** The index contains all notifications up to this id. Notifications of later blocks have higher ids. */
  readonly end: bigint;
  /** Notifications up to this id may have been deleted for their age. */
  readonly lastExpiredId: bigint;
  /** The index cannot contain an event with this id or a later one. */
  readonly firstImpossibleId: bigint;
  /** Time since the last block was committed; undefined before the first. */
  readonly commitAgeMs: number | undefined;
}

/** Reads events from the index. */
export class EventStore {
  constructor(private readonly database: Queryable) {}

  /**
   * Reads the next events of all accounts; only the state if `after` is undefined. @returns undefined if there is no
   * index
   */
  async findAfter(after: bigint | undefined): Promise<EventPage | undefined> {
    return pageOf(await eventsAfter.query(this.database, { after: after ?? null }));
  }

  /** Reads the next events of some accounts. @returns undefined if there is no index */
  async findOfAccounts(accounts: readonly string[], after: bigint): Promise<EventPage | undefined> {
    return pageOf(await eventsOfAccountsAfter.query(this.database, { accounts, after }));
  }
}

function pageOf(rows: readonly RowIn<typeof eventsAfter>[]): EventPage | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const index = indexNameOf(first.index_id);
  const events = rows.flatMap((row) => (row.id === null ? [] : toEvent(index, row.id, row)));
  return {
    index,
    events,
    isFull: events.length === pageSize,
    // A notification has the time of the block before its own.
    end: first.block_time === null ? 0n : firstNotificationId(first.block_time) - 1n,
    lastExpiredId: firstNotificationId(first.notifications_from) - 1n,
    firstImpossibleId:
      first.block_time === null ? 1n : firstNotificationId(new Date(first.block_time.getTime() + maxAheadMs)),
    commitAgeMs: first.commit_age_seconds === null ? undefined : first.commit_age_seconds * 1_000,
  };
}
