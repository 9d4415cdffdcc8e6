import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type ChatEvent, type Subscription } from './entry';

/** The entries that are not messages, of conversations and of accounts. */
@Entity('event')
@Index('event_at', ['at'])
@Index('event_stream_at', ['stream', 'at'])
export class EventEntity {
  /** The id of a conversation or the name of an account. */
  @PrimaryColumn('text') stream!: string;
  @PrimaryColumn('bigint') seq!: bigint;
  @Column({ type: 'timestamptz', precision: 3 }) at!: Date;
  @Column('jsonb') events!: readonly ChatEvent[];
  @Column('text', { array: true, default: [] }) joins!: string[];
  @Column('text', { array: true, default: [] }) leaves!: string[];

  /** The subscriptions that begin with an entry of an account; empty for conversations. */
  @Column('jsonb', { default: [] }) subscriptions!: readonly Subscription[];
}

export const eventTable = columnTypes(EventEntity);
