import { columnTypes } from '@waggle/service';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The settings of an account; no row if it has never changed them. */
@Entity('setting')
export class SettingEntity {
  @PrimaryColumn('text') account!: string;
  @Column('boolean') dmFromFriends!: boolean;
}

export const settingTable = columnTypes(SettingEntity);
