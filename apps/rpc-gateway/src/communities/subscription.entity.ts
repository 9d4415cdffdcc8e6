import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The subscription of an account to a community. */
@Entity('subscription')
@Index('subscription_account', ['accountId'])
@Index('subscription_created', ['created'])
export class SubscriptionEntity {
  @PrimaryColumn('int') communityId!: number;
  @PrimaryColumn('int') accountId!: number;
  @Column('timestamptz') created!: Date;
}
