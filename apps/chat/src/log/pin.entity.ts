import { columnTypes } from '@waggle/service';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A pinned message. It is removed together with the message. */
@Entity('pin')
export class PinEntity {
  @PrimaryColumn('text') conversationId!: string;

  /** The sequence number of the message. */
  @PrimaryColumn('bigint') seq!: bigint;

  /** The account that pinned it. */
  @Column('text') account!: string;
  @Column({ type: 'timestamptz', precision: 3 }) at!: Date;
}

export const pinTable = columnTypes(PinEntity);
