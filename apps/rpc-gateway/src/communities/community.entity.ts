import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A community, which is an account with a name such as `hive-100001`. */
@Entity('community')
@Index('community_words', { synchronize: false })
export class CommunityEntity {
  /** The id of its account. */
  @PrimaryColumn('int') id!: number;

  /** 1 topic: everyone may post; 2 journal: members post, everyone comments; 3 council: members only. */
  @Column('smallint') typeId!: number;
  @Column('text') title!: string;
  @Column('text') about!: string;
  @Column('text') lang!: string;
  @Column('boolean') isNsfw!: boolean;
  @Column('text') description!: string;
  @Column('text') flagText!: string;

  /** JSON. A text column, because `json` rejects characters that JSON strings may contain. */
  @Column('text') settings!: string;
  @Column('timestamptz') created!: Date;
  @Column('int') subscribers!: number;

  /** The number of authors of unpaid posts, of these posts, and their pending payout in thousandths of HBD. */
  @Column('int') authors!: number;
  @Column('int') pendingPosts!: number;
  @Column('bigint') pendingPayout!: bigint;
}

export const communityTable = columnTypes(CommunityEntity);
