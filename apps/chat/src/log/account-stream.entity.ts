import { columnTypes } from '@waggle/service';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last seq of the stream of an account. */
@Entity('account_stream')
export class AccountStreamEntity {
  @PrimaryColumn('text') account!: string;
  @Column('bigint') lastSeq!: bigint;
}

export const accountStreamTable = columnTypes(AccountStreamEntity);
