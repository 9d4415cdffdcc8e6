import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One log-in of one account on one device. Its tokens are good as long as the row is. */
@Entity('session')
export class SessionEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  account!: string;

  @Column('text', { name: 'user_agent', nullable: true })
  userAgent!: string | null;

  @Column('text', { nullable: true })
  ip!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** When its refresh token was last used; open sockets live on from here. */
  @Column('timestamptz', { name: 'renewed_at' })
  renewedAt!: Date;

  /** When its refresh token expires. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
