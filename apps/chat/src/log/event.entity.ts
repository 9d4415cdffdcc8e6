import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type ChatEvent, type Subscription } from './entry';

/**
 * Entries of conversations and accounts that are changes; messages are in `message`. A row is one `ChangeEntry`;
 * `events` are what clients receive.
 *
 * - `event_at`: expired entries
 * - `event_stream_at`: entries of a stream since an instant
 */
@Entity('event')
@Index('event_at', ['at'])
@Index('event_stream_at', ['stream', 'at'])
export class EventEntity {
  /** The id of a conversation or the name of an account. */
  @PrimaryColumn('text') stream!: string;

  /** From 1 without gaps. Changes and messages of a conversation share the numbers. */
  @PrimaryColumn('bigint') seq!: bigint;

  /** The time when the entry was stored. */
  @Column({ type: 'timestamptz', precision: 3 }) at!: Date;

  /** In delivery order. */
  @Column('jsonb') events!: readonly ChatEvent[];

  /** Accounts whose subscription begins with this entry. */
  @Column('text', { array: true, default: [] }) joins!: readonly string[];

  /** Accounts for which this is the last entry. */
  @Column('text', { array: true, default: [] }) leaves!: readonly string[];

  /** In the stream of an account: subscriptions that begin with this entry. Empty in a conversation. */
  @Column('jsonb', { default: [] }) subscriptions!: readonly Subscription[];
}

export const eventTable = columnTypes(EventEntity);
