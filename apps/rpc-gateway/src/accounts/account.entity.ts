import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * An account of the chain. Other tables refer to it by its id, because a name takes four times the space, in a billion
 * rows.
 */
@Entity('account')
@Index('account_name', ['name'], { unique: true })
export class AccountEntity {
  /** 1, 2, 3, … in the order that accounts were indexed. */
  @PrimaryColumn('int') id!: number;
  @Column({ type: 'text', collation: 'C' }) name!: string;

  /** The raw reputation; null if the index does not contain all votes and has not queried a node. */
  @Column('bigint', { nullable: true }) reputation!: bigint | null;

  /** Number of followers, and of accounts that it follows. */
  @Column('int') followers!: number;
  @Column('int') following!: number;

  /** The time up to which the owner has read the notifications; 1970 by default. */
  @Column('timestamptz') lastRead!: Date;

  /**
   * The descriptions of its blacklist and its mute list, which others may follow, in the profile in `json_metadata`.
   */
  @Column('text', { nullable: true }) blacklistDescription!: string | null;
  @Column('text', { nullable: true }) mutedListDescription!: string | null;

  /** Whether there is a profile in `posting_json_metadata`, which takes precedence. */
  @Column('boolean') hasPostingProfile!: boolean;

  /** The descriptions in that profile. */
  @Column('text', { nullable: true }) postingBlacklistDescription!: string | null;
  @Column('text', { nullable: true }) postingMutedListDescription!: string | null;
}

export const accountTable = columnTypes(AccountEntity);
