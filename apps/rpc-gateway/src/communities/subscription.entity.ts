import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The subscription of an account to a community. */
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
