import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Who is subscribed to which community, and since when. */
@Entity('subscription')
@Index('subscription_account', ['accountId'])
@Index('subscription_created', ['created'])
export class SubscriptionEntity {
  @PrimaryColumn('int', { name: 'community_id' })
  communityId!: number;

  @PrimaryColumn('int', { name: 'account_id' })
  accountId!: number;

  @Column('timestamptz')
  created!: Date;
}
