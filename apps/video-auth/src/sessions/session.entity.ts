import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One log-in of one account on one device, with one token. */
@Entity('session')
export class SessionEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  account!: string;

  /** sha256 of account and signed text: one proof, one session. */
  @Column('bytea', { select: false })
  proof!: Buffer;

  /** The key that signed: compressed, 33 bytes. */
  @Column('bytea', { name: 'signing_key', select: false })
  signingKey!: Buffer;

  /** When the chain last said that this key suffices. */
  @Column('timestamptz', { name: 'key_confirmed_at', select: false })
  keyConfirmedAt!: Date;

  @Column('text', { name: 'user_agent', nullable: true })
  userAgent!: string | null;

  @Column('text', { nullable: true })
  ip!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** When its token expires. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
