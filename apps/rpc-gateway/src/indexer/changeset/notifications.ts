import { type Queryable, sql, Statement } from '@waggle/service';
import { MentionEntity } from '../../notifications/mention.entity';
import { notificationId, positionsPerBlock, typeAndTimeOf } from '../../notifications/notification-id';
import { type NotificationType } from '../../notifications/notification-types';
import { NotificationEntity } from '../../notifications/notification.entity';
import { type RetentionPeriod } from './retention-period';
import { Rows } from './rows';
import { Table } from './table';

const notificationTable = new Table(NotificationEntity);
const mentionTable = new Table(MentionEntity);
const findMentions = mentionTable.select('by-post', 'WHERE t.post_id = ANY ($1::bigint[])', {
  postIds: sql.arrayOf(sql.int8),
});

const deleteNotifications = new Statement({
  name: 'notification-retract',
  text: 'DELETE FROM notification WHERE id = ANY ($1::bigint[])',
  parameters: { ids: sql.arrayOf(sql.int8) },
  columns: {},
});

type Notification = Readonly<NotificationEntity>;

export type NewNotification = Omit<Notification, 'id'>;

/** In one block, notifications with the same key are duplicates. */
function keyOf({ id, sourceId, recipientId, postId }: Notification): string {
  const { type, time } = typeAndTimeOf(id);
  return [time.getTime(), type, sourceId, recipientId, postId].join(' ');
}

/** The notifications that a batch creates and retracts, and the mentions of its posts. */
export class Notifications {
  readonly mentions = new Rows<Readonly<MentionEntity>>(mentionTable, ({ postId }) => postId);
  private readonly rows = new Rows<Notification>(notificationTable);
  /** Ids of stored notifications that `write` deletes. */
  private readonly retracted = new Set<bigint>();
  private readonly nextPositions = new Map<NotificationType, number>();
  private blockTime = NaN;
  /** The keys (`keyOf`) of the notifications in the current block. */
  private readonly keysOfBlock = new Set<string>();

  constructor(readonly retention: RetentionPeriod) {}

  /** Reads the mentions of posts. */
  async load(client: Queryable, postIds: readonly bigint[]): Promise<void> {
    if (postIds.length === 0) return;
    this.mentions.add(await findMentions(client, { postIds }));
  }

  /** Takes the next id for the type and block. @returns undefined if the block is too old or has no more ids */
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

  retract(id: bigint): void {
    const created = this.rows.find(id);
    if (created === undefined) {
      this.retracted.add(id);
      return;
    }
    this.rows.remove(created);
    this.keysOfBlock.delete(keyOf(created));
  }

  /** The mentions of a post that is read with its text. */
  mentionsOf(postId: bigint): Readonly<MentionEntity>[] {
    return this.mentions.ofGroup(postId);
  }

  /** The accounts that are mentioned by the posts that are read with their texts. */
  mentionedIds(): number[] {
    return [...this.mentions.values()].map(({ accountId }) => accountId);
  }

  async write(client: Queryable): Promise<void> {
    await this.mentions.write(client);
    await this.rows.write(client);
    if (this.retracted.size === 0) return;
    await deleteNotifications.execute(client, { ids: [...this.retracted] });
  }
}
