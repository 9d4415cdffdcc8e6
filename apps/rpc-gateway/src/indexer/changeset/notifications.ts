import { type Queryable, sql, Statement } from '@waggle/service';
import { MentionEntity } from '../../notifications/mention.entity';
import { notificationId, positionsPerBlock, typeAndTimeOf } from '../../notifications/notification-id';
import { type NotificationType } from '../../notifications/notification-types';
import { NotificationEntity } from '../../notifications/notification.entity';
import { type RetentionPeriod } from './retention-period';
import { type PostActionIds } from './posts';
import { Rows } from './rows';
import { Table } from './table';
import { accountTable } from '../../accounts/account.entity';

const notificationTable = new Table(NotificationEntity);
const mentionTable = new Table(MentionEntity);

/** Deletes the mentions of accounts `$2` by posts `$1`, pairwise, and their notifications. */
const retractMentions = new Statement({
  name: 'mention-retract',
  text: `
    WITH retracted AS (
      DELETE FROM mention m USING unnest($1::bigint[], $2::text[]) r (post_id, name) JOIN account a ON a.name = r.name
      WHERE m.post_id = r.post_id AND m.account_id = a.id RETURNING m.notification_id
    )
    DELETE FROM notification n USING retracted r WHERE n.id = r.notification_id`,
  parameters: { postIds: sql.arrayOf(mentionTable.types.postId), names: sql.arrayOf(accountTable.name) },
  columns: {},
});

/** Deletes the mentions by posts `$1`, except of accounts `$3` by posts `$2`, pairwise, and their notifications. */
const retractOtherMentions = new Statement({
  name: 'mention-retract-others',
  text: `
    WITH retracted AS (
      DELETE FROM mention m
      WHERE m.post_id = ANY ($1::bigint[])
        AND (m.post_id, m.account_id) NOT IN (SELECT * FROM unnest($2::bigint[], $3::int[]))
      RETURNING m.notification_id
    )
    DELETE FROM notification n USING retracted r WHERE n.id = r.notification_id`,
  parameters: {
    postIds: sql.arrayOf(mentionTable.types.postId),
    keptPostIds: sql.arrayOf(mentionTable.types.postId),
    keptAccountIds: sql.arrayOf(mentionTable.types.accountId),
  },
  columns: {},
});

const deleteNotifications = new Statement({
  name: 'notification-retract',
  text: 'DELETE FROM notification WHERE id = ANY ($1::bigint[])',
  parameters: { ids: sql.arrayOf(notificationTable.types.id) },
  columns: {},
});

type Notification = Readonly<NotificationEntity>;

export type NewNotification = Omit<Notification, 'id'>;

/** Returns a key: in one block, notifications with the same key are duplicates. */
function keyOf({ id, sourceId, recipientId, postId }: Notification): string {
  const { type, time } = typeAndTimeOf(id);
  return [time.getTime(), type, sourceId, recipientId, postId].join(' ');
}

/** The notifications that a batch creates and retracts, and the mentions of its posts. */
export class Notifications {
  /** The mentions that were loaded or created; the mentions by a post are a group. */
  readonly mentions = new Rows<Readonly<MentionEntity>>(mentionTable, ({ postId }) => postId);
  private readonly rows = new Rows<Notification>(notificationTable);
  private loadedMentions: readonly PostActionIds[] = [];
  private readonly retractedMentions: { readonly postId: bigint; readonly name: string }[] = [];
  /** Posts whose mentions are all retracted, except the loaded ones. */
  private readonly clearedPosts = new Set<bigint>();
  /** Ids of stored notifications that `write` deletes. */
  private readonly retracted = new Set<bigint>();
  /** The time of the current block; NaN before the first. */
  private blockTime = NaN;
  /** By type, the position of the next notification in the current block; its id contains it. */
  private readonly nextPositions = new Map<NotificationType, number>();
  /** The keys (`keyOf`) of the notifications in the current block. */
  private readonly keysOfBlock = new Set<string>();

  constructor(readonly retention: RetentionPeriod) {}

  /** Reads mentions of accounts by posts. */
  async load(client: Queryable, mentions: readonly PostActionIds[]): Promise<void> {
    this.loadedMentions = mentions;
    await this.mentions.load(client, mentions);
  }

  /** Takes the next id for the type and block. @returns undefined if the block is too old or has no ids left */
  takeId(type: NotificationType, time: Date): bigint | undefined {
    if (!this.retention.createsNotifications(time)) return undefined;
    if (time.getTime() !== this.blockTime) {
      this.nextPositions.clear();
      this.keysOfBlock.clear();
      this.blockTime = time.getTime();
    }
    const position = this.nextPositions.get(type) ?? 0;
    if (position >= positionsPerBlock) return undefined;
    this.nextPositions.set(type, position + 1);
    return notificationId(time, type, position);
  }

  /** Adds a notification, unless it duplicates another in this block: same type, source, recipient and post. */
  put(id: bigint, content: NewNotification): void {
    const notification = { ...content, id };
    const key = keyOf(notification);
    if (this.keysOfBlock.has(key)) return;
    this.keysOfBlock.add(key);
    this.rows.put(notification);
  }

  /** Removes a notification of this batch, or deletes a stored one. */
  retract(id: bigint): void {
    const created = this.rows.find(id);
    if (created === undefined) {
      this.retracted.add(id);
      return;
    }
    this.rows.remove(created);
    this.keysOfBlock.delete(keyOf(created));
  }

  /**
   * Retracts stored mentions that `load` did not read, with their notifications: there may be many. The caller retracts
   * the others.
   */
  retractUnloadedMentions(postId: bigint, names: readonly string[]): void {
    for (const name of names) this.retractedMentions.push({ postId, name });
  }

  /** Does the same as `retractUnloadedMentions` for all mentions by a post. */
  retractAllUnloadedMentions(postId: bigint): void {
    this.clearedPosts.add(postId);
  }

  async write(client: Queryable): Promise<void> {
    if (this.retractedMentions.length > 0) {
      await retractMentions.execute(client, {
        postIds: this.retractedMentions.map(({ postId }) => postId),
        names: this.retractedMentions.map(({ name }) => name),
      });
    }
    if (this.clearedPosts.size > 0) {
      await retractOtherMentions.execute(client, {
        postIds: [...this.clearedPosts],
        keptPostIds: this.loadedMentions.map(({ postId }) => postId),
        keptAccountIds: this.loadedMentions.map(({ accountId }) => accountId),
      });
    }
    await this.mentions.write(client);
    await this.rows.write(client);
    if (this.retracted.size === 0) return;
    await deleteNotifications.execute(client, { ids: [...this.retracted] });
  }
}
