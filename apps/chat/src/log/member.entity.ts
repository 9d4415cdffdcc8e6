import { columnTypes } from '@waggle/service';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ConversationEntity } from './conversation.entity';

/**
 * What an account has to do with a conversation. It receives the entries n with joined_seq < n <= left_seq, without an
 * upper limit while it is a member or follows the channel. Only the migration has the fill factor, the check of the
 * status, and the columns that `member_joined` and `member_made_moderator` include.
 */
@Entity('member')
@Index('member_account', ['account', 'conversationId'])
@Index('member_followed_at', ['account', 'followedAt'], { where: 'followed_at IS NOT NULL' })
@Index('member_joined', { synchronize: false })
@Index('member_made_moderator', { synchronize: false })
export class MemberEntity {
  @PrimaryColumn('text')
  @ForeignKey(() => ConversationEntity, { name: 'member_conversation_id_fkey' })
  conversationId!: string;

  @PrimaryColumn('text') account!: string;

  /**
   * `member`, `reader`, `banned` or `left`. A reader has acknowledged or followed a channel without joining it. A
   * banned account was removed from a channel and cannot join it again. One that has left a conversation, or was
   * removed from a group, has the status `left`.
   */
  @Column('text', { default: 'member' }) status!: string;
  @Column('bigint', { default: () => "nextval('member_order')" }) joined!: bigint;

  /** A number that orders moderators by their appointment; null for other members. */
  @Column('bigint', { nullable: true }) madeModerator!: bigint | null;
  @Column('bigint', { default: 0 }) joinedSeq!: bigint;
  @Column('bigint', { nullable: true }) leftSeq!: bigint | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) leftAt!: Date | null;

  /** Whether the account left of its own accord: then only a friend may add it again. Null for members. */
  @Column('boolean', { nullable: true }) leftVoluntarily!: boolean | null;

  /** The time since which a reader follows the channel; null if it does not. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) followedAt!: Date | null;

  /** Whether the member has left a dm and does not see it until there is a message; false elsewhere. */
  @Column('boolean', { default: false }) hidden!: boolean;
  @Column('bigint', { default: 0 }) acknowledgedSeq!: bigint;

  /**
   * What others see of `acknowledgedSeq`: the other account of a dm, or the members of a small group. It never moves
   * back, and in a dm does not change while one of the two blocks the other.
   */
  @Column('bigint', { default: 0 }) receiptSeq!: bigint;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) acknowledgedAt!: Date | null;

  /** Whether the account wants no notifications of the conversation. Reset when it leaves, as `favourite`. */
  @Column('boolean', { default: false }) muted!: boolean;
  @Column('boolean', { default: false }) favourite!: boolean;
}

export const memberTable = columnTypes(MemberEntity);
