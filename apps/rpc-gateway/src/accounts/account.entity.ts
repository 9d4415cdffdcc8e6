import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An account of the chain. Every other table knows it by its id: a name takes four times as much, in a billion places. */
@Entity('account')
@Index('account_name', ['name'], { unique: true })
export class AccountEntity {
  /** 1, 2, 3, … in the order in which the index met them. */
  @PrimaryColumn('int')
  id!: number;

  @Column({ type: 'text', collation: 'C' })
  name!: string;

  /** What votes have made it, exactly; null where the index does not know all of them and has not asked a node. */
  @Column('bigint', { nullable: true })
  reputation!: bigint | null;

  /** How many follow it, and how many it follows. */
  @Column('int')
  followers!: number;

  @Column('int')
  following!: number;

  /** Up to when its owner has read its notifications; 1970 where that was never said. */
  @Column('timestamptz', { name: 'last_read' })
  lastRead!: Date;

  /** What its profile says of its blacklist and its mute list, for those who might follow them. */
  @Column('text', { name: 'blacklist_description', nullable: true })
  blacklistDescription!: string | null;

  @Column('text', { name: 'muted_list_description', nullable: true })
  mutedListDescription!: string | null;

  /** Whether the profile is in `posting_json_metadata`: then that in `json_metadata` no longer counts. */
  @Column('boolean', { name: 'has_posting_profile' })
  hasPostingProfile!: boolean;
}
