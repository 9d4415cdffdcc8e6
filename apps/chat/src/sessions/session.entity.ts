import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A log-in of an account. Its tokens are valid as long as the row is. */
@Entity('session')
@Index('session_proof', ['proof'], { unique: true })
@Index('session_account_created_at', ['account', 'createdAt', 'id'])
@Index('session_revoked_at', ['revokedAt'], { where: 'revoked_at IS NOT NULL' })
@Index('session_expires_at', ['expiresAt'])
export class SessionEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') account!: string;

  /** SHA-256 of the account and the signed text: one proof, one session, even if Redis loses the proof. */
  @Column('bytea', { select: false }) proof!: Buffer;

  /** The key that signed the log-in: compressed, 33 bytes. */
  @Column('bytea', { select: false }) signingKey!: Buffer;

  /** The time when the key was last confirmed on the chain. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()', select: false }) keyConfirmedAt!: Date;

  /** The name and version of the browser, at most 64 characters. */
  @Column('text', { nullable: true }) browser!: string | null;
  @Column('text', { nullable: true }) ip!: string | null;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt!: Date;

  /** The time when the refresh token was last used, which extends the connections of the session. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) renewedAt!: Date;

  /** The time when the refresh token expires. */
  @Column({ type: 'timestamptz', precision: 3 }) expiresAt!: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) revokedAt!: Date | null;
}

export const sessionTable = columnTypes(SessionEntity);
