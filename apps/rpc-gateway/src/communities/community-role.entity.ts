import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The role and title of an account in a community. An account without a row is a guest without a title. Other guests
 * have a row if they ever had a title or another role.
 */
@Entity('community_role')
@Index('community_role_account', ['accountId'])
export class CommunityRoleEntity {
  @PrimaryColumn('int') communityId!: number;
  @PrimaryColumn('int') accountId!: number;

  /** One of the numbers in `communityRoles` (`roles.ts`). */
  @Column('smallint') role!: number;
  @Column('text') title!: string;
}

export const communityRoleTable = columnTypes(CommunityRoleEntity);
