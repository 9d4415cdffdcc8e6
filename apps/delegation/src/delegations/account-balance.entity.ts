import { columnTypes } from '@waggle/service';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Sums of the incoming and outgoing delegations of an account, updated with every change: an account may have 100,000
 * delegations.
 */
@Entity('account_balance')
export class AccountBalanceEntity {
  @PrimaryColumn({ type: 'text', collation: 'C' }) account!: string;

  /** Millionths of VESTS. No sum can overflow: the chain holds all VESTS that there are in 64 bits. */
  @Column('bigint') totalIn!: bigint;
  @Column('bigint') totalOut!: bigint;
}

export const accountBalanceTable = columnTypes(AccountBalanceEntity);
