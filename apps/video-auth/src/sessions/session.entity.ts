import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One log-in of one account on one device, with one token. */
@Entity('session')
@Index('session_proof', ['proof'], { unique: true })
@Index('session_account_id', ['account', 'id'])
@Index('session_expires_at', ['expiresAt'])
export class SessionEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') account!: string;

  /** SHA-256 of the account and the signed text: one proof, one session. */
  @Column('bytea', { select: false }) proof!: Buffer;

  /** The key that signed: compressed, 33 bytes. */
  @Column('bytea', { select: false }) signingKey!: Buffer;

  /** The time when a key check last found that the key has authority. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()', select: false }) keyConfirmedAt!: Date;
  @Column('text', { nullable: true }) userAgent!: string | null;
  @Column('text', { nullable: true }) ip!: string | null;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt!: Date;

  /** The time when the token of the session expires. */
  @Column({ type: 'timestamptz', precision: 3 }) expiresAt!: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) revokedAt!: Date | null;
}

export const sessionTable = columnTypes(SessionEntity);
