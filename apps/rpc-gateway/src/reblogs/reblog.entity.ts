import { columnTypes } from '@waggle/service';
import { Entity, PrimaryColumn } from 'typeorm';

/** A post that an account reblogged. */
@Entity('reblog')
export class ReblogEntity {
  @PrimaryColumn('bigint') postId!: bigint;
  @PrimaryColumn('int') accountId!: number;
}

export const reblogTable = columnTypes(ReblogEntity);
