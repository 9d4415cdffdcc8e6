import { columnTypes } from '@waggle/service';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The search index of the messages with 32 successive sequence numbers of a conversation. Only the migration has the
 * partitions, and where the arrays are stored.
 */
@Entity('search_block')
export class SearchBlockEntity {
  @PrimaryColumn('text') conversationId!: string;

  /** A multiple of 32. Bit n is the message with this number plus n. */
  @PrimaryColumn('bigint') firstSeq!: bigint;

  /** The last message in the block that the index has. */
  @Column('bigint') lastSeq!: bigint;

  /** When each message was sent, in milliseconds since 1970. Numbers without a message have the time of a neighbour. */
  @Column('bigint', { array: true }) times!: readonly bigint[];

  /** The hashes of the terms in the messages, in ascending order. */
  @Column('int', { array: true }) terms!: readonly number[];

  /** The messages with each of the terms, as bits. */
  @Column('int', { array: true }) messages!: readonly number[];
}

export const searchBlockTable = columnTypes(SearchBlockEntity);
