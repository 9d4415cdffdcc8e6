import { type Queryable, sql, Statement } from '@waggle/service';
import { MentionEntity } from '../../notifications/mention.entity';
import {
  firstNotificationId,
  notificationId,
  placesPerBlock,
  typeAndTimeOf,
} from '../../notifications/notification-id';
import { type NotificationType } from '../../notifications/notification-types';
import { NotificationEntity } from '../../notifications/notification.entity';
import { Rows } from './rows';
import { Table } from './table';

const notificationTable = new Table(NotificationEntity);
const mentionTable = new Table(MentionEntity);

const deleteNotifications = new Statement({
  name: 'notification-take-back',
  text: 'DELETE FROM notification WHERE id = ANY ($1::bigint[])',
  parameters: { ids: sql.arrayOf(sql.int8) },
  columns: {},
});

const pruneNotifications = new Statement({
  name: 'notification-prune',
  text: 'DELETE FROM notification WHERE id < $1',
  parameters: { firstId: sql.int8 },
  columns: {},
});

const pruneMentions = new Statement({
  name: 'mention-prune',
  text: 'DELETE FROM mention WHERE notification_id < $1',
  parameters: { firstId: sql.int8 },
  columns: {},
});

type Notification = Readonly<NotificationEntity>;

/** What is told, without what follows from when it is. */
export type Telling = Omit<Notification, 'id'>;

/** Notifications with the same key in one block are one notification. */
function keyOf({ id, sourceId, recipientId, postId }: Notification): string {
  const { type, time } = typeAndTimeOf(id);
  return [time.getTime(), type, sourceId, recipientId, postId].join(' ');
}

/** The notifications that a batch makes and takes back, and the mentions that they may be about. */
export class Notifications {
  readonly mentions = new Rows<Readonly<MentionEntity>>(mentionTable);
  private readonly rows = new Rows<Notification>(notificationTable);
  /** Stored ones that are taken back. */
  private readonly taken = new Set<bigint>();
  private readonly places = new Map<NotificationType, number>();
  private timeOfPlaces = NaN;
  /** Those of the current block, by `keyOf`. */
  private readonly ofBlock = new Set<string>();

  /** @param from what is older is not kept, and so not made */
  constructor(private readonly from: Date) {}

  async load(client: Queryable, postIds: readonly bigint[]): Promise<void> {
    if (postIds.length === 0) return;
    this.mentions.add(await mentionTable.find(client, 'by-post', 'WHERE t.post_id = ANY ($1::bigint[])', [postIds]));
  }

  isKept(time: Date): boolean {
    return time >= this.from;
  }

  /** The next id of its type in the block; undefined where that is too old, or has no more of them. */
  nextId(type: NotificationType, time: Date): bigint | undefined {
    if (!this.isKept(time)) return undefined;
    if (time.getTime() !== this.timeOfPlaces) {
      this.places.clear();
      this.ofBlock.clear();
      this.timeOfPlaces = time.getTime();
    }
    const place = this.places.get(type) ?? 0;
    if (place >= placesPerBlock) return undefined;
    this.places.set(type, place + 1);
    return notificationId(time, type, place);
  }

  /** Adds a notification, unless the same account has caused one of that type for the recipient and the post in this block. */
  put(id: bigint, telling: Telling): void {
    const notification = { ...telling, id };
    const key = keyOf(notification);
    if (this.ofBlock.has(key)) return;
    this.ofBlock.add(key);
    this.rows.put(notification);
  }

  takeBack(id: bigint): void {
    const own = this.rows.find(id);
    if (own === undefined) {
      this.taken.add(id);
      return;
    }
    this.rows.remove(own);
    this.ofBlock.delete(keyOf(own));
  }

  mentionsOf(postId: bigint): Readonly<MentionEntity>[] {
    return [...this.mentions.values()].filter((mention) => mention.postId === postId);
  }

  async write(client: Queryable): Promise<void> {
    await this.mentions.write(client);
    await this.rows.write(client);
    if (this.taken.size === 0) return;
    await deleteNotifications.execute(client, { ids: [...this.taken] });
  }

  /** What is older than this is no longer wanted. */
  static async prune(client: Queryable, from: Date): Promise<void> {
    const firstId = firstNotificationId(from);
    await pruneNotifications.execute(client, { firstId });
    await pruneMentions.execute(client, { firstId });
  }
}
