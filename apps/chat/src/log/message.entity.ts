import { type Attachment, type Mention } from '@waggle/contracts';
import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Entries of conversations that are messages; changes are in `event`. Only the migration has the partitions, and the
 * columns that the primary key includes to count and sort unread messages.
 *
 * - `message_id`: a message by its id, to delete or edit it, reply or react to it
 * - `message_sent_at`: history, the last message, messages since an instant
 * - `message_client_id`: repeated messages
 */
@Entity('message')
@Index('message_id', ['id'])
@Index('message_sent_at', ['conversationId', 'sentAt'], { unique: true, where: 'deleted_at IS NULL' })
@Index('message_client_id', ['conversationId', 'sender', 'clientId'], {
  unique: true,
  where: 'client_id IS NOT NULL',
})
export class MessageEntity {
  @PrimaryColumn('text') conversationId!: string;

  /** From 1 without gaps. Messages and changes of a conversation share the numbers. */
  @PrimaryColumn('bigint') seq!: bigint;

  @Column('text') id!: string;

  @Column('text') sender!: string;

  /** The other account of a dm; null for other types. */
  @Column('text', { nullable: true }) recipient!: string | null;

  @Column('text') content!: string;

  /** Later than all earlier messages of the conversation. */
  @Column({ type: 'timestamptz', precision: 3 }) sentAt!: Date;

  /** The time of the deletion; null if the message is not deleted. The row stays until retention removes it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) deletedAt!: Date | null;

  /** The sequence number of the message that this one replies to; null if it is no reply. */
  @Column('bigint', { nullable: true }) replyToSeq!: bigint | null;

  /** How often the message was edited; null if it never was. `message_revision` has its former texts. */
  @Column('int', { nullable: true }) revision!: number | null;

  /** The time of the last edit; null if there was none. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) editedAt!: Date | null;

  /** The files that it refers to; null if there are none. */
  @Column('jsonb', { nullable: true }) attachments!: readonly Attachment[] | null;
  /** Which ranges of the text mention accounts; null if none does. `mention` has the accounts. */
  @Column('jsonb', { nullable: true }) mentions!: readonly Mention[] | null;

  /** The idempotency key of the sender: a message with the same key is not stored again. */
  @Column('text', { nullable: true }) clientId!: string | null;
}

export const messageTable = columnTypes(MessageEntity);
