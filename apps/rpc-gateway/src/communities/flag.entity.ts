import { Entity, PrimaryColumn } from 'typeorm';

/** A post that an account flagged in its community, which cannot be undone. */
@Entity('flag')
export class FlagEntity {
  @PrimaryColumn('bigint') postId!: bigint;
  @PrimaryColumn('int') accountId!: number;
}
