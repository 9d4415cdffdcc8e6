import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A dm, a group or a channel. The migration sets the fill factor, which TypeORM does not know. */
@Entity('conversation')
@Index('conversation_dm', ['dmFirst', 'dmSecond'], { unique: true, where: "type = 'dm'" })
@Index('conversation_client_id', ['clientCreator', 'clientId'], { unique: true, where: 'client_id IS NOT NULL' })
@Index('conversation_channels', ['creator'], { where: "type = 'channel'" })
@Index('conversation_oldest_since', ['oldestSince'])
export class ConversationEntity {
  @PrimaryColumn('text') id!: string;

  /** `dm`, `group` or `channel`. */
  @Column('text') type!: string;
  @Column('text', { nullable: true }) name!: string | null;
  @Column('text') creator!: string;

  /** The two accounts of a dm in byte order, whatever the locale of the database; null for other types. */
  @Column({ type: 'text', collation: 'C', nullable: true }) dmFirst!: string | null;
  @Column({ type: 'text', collation: 'C', nullable: true }) dmSecond!: string | null;

  /** Whether one of the two accounts of a dm blocks the other; false elsewhere. */
  @Column('boolean', { default: false }) blocked!: boolean;

  /**
   * The account that requested a group, which need not be the creator for good, and the idempotency key of its request.
   * Both are null if there was no key or it has been reused.
   */
  @Column('text', { nullable: true }) clientCreator!: string | null;
  @Column('text', { nullable: true }) clientId!: string | null;
  @Column('bigint', { default: 0 }) lastSeq!: bigint;

  /**
   * The seq of the last entry that may change who may write. A message is stored only if its sender was authorized as
   * of this seq.
   */
  @Column('bigint', { default: 0 }) changedSeq!: bigint;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) lastMessageAt!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) updatedAt!: Date;

  /** The progress of retention: no message is older than this time, and the messages up to `removedSeq` are deleted. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) oldestSince!: Date;
  @Column('bigint', { default: 0 }) removedSeq!: bigint;
}

export const conversationTable = columnTypes(ConversationEntity);
