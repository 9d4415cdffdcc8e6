import { columnTypes } from '@waggle/service';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The former texts of edited messages. They are removed together with the message. */
@Entity('message_revision')
export class MessageRevisionEntity {
  @PrimaryColumn('text') conversationId!: string;

  /** The sequence number of the message. */
  @PrimaryColumn('bigint') seq!: bigint;

  /** 0 is the first text. */
  @PrimaryColumn('int') revision!: number;
  @Column('text') content!: string;

  /** When the text was written. */
  @Column({ type: 'timestamptz', precision: 3 }) at!: Date;
}

export const messageRevisionTable = columnTypes(MessageRevisionEntity);
