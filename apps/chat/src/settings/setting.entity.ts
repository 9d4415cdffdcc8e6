import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The settings of an account. An account that has never changed them has no row. */
@Entity('setting')
export class SettingEntity {
  @PrimaryColumn('text')
  account!: string;

  /** Accepts direct messages, and being added to conversations, from friends only. */
  @Column('boolean', { name: 'dm_from_friends' })
  dmFromFriends!: boolean;
}
