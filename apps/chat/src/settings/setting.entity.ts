import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What an account has set; one that has set nothing has no row. */
@Entity('setting')
export class SettingEntity {
  @PrimaryColumn('text')
  account!: string;

  /** Accepts direct messages, and being added to conversations, from friends only. */
  @Column('boolean', { name: 'dm_from_friends' })
  dmFromFriends!: boolean;
}
