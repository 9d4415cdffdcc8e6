import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { POOL, type RowIn, sql, Statement } from '@waggle/service';
import { Pool } from 'pg';
import { IsNull, Raw, Repository } from 'typeorm';
import { SessionEntity, sessionTable } from './session.entity';

/** Returns a session, unless it is revoked or expired. */
const findValidSession = new Statement({
  name: 'find-valid-session',
  text: `
    SELECT id, account, signing_key AS "signingKey",
           (extract(epoch FROM now() - key_confirmed_at) * 1000)::float8 AS "keyConfirmedMsAgo"
    FROM session
    WHERE id = $1 AND revoked_at IS NULL AND expires_at > now()`,
  parameters: { id: sessionTable.id },
  columns: {
    id: sessionTable.id,
    account: sessionTable.account,
    signingKey: sessionTable.signingKey,
    /** Time since the chain last confirmed the key, in milliseconds by the database's clock. */
    keyConfirmedMsAgo: sql.notNull(sql.float8),
  },
});

/** Returns the valid sessions of an account, the newest first: of all, or of the ones before session `$3`. */
const listValidSessions = new Statement({
  name: 'list-valid-sessions',
  text: `
    SELECT id, user_agent AS "userAgent", ip, created_at AS "createdAt", expires_at AS "expiresAt"
    FROM session
    WHERE account = $1 AND revoked_at IS NULL AND expires_at > now() AND ($3::text IS NULL OR id < $3)
    ORDER BY id DESC LIMIT $2`,
  parameters: { account: sessionTable.account, limit: sql.int8, before: sql.nullable(sessionTable.id) },
  columns: {
    id: sessionTable.id,
    userAgent: sessionTable.userAgent,
    ip: sessionTable.ip,
    createdAt: sessionTable.createdAt,
    expiresAt: sessionTable.expiresAt,
  },
});

/** Deletes sessions that expired at least `$1` seconds ago. Skips the ones that another instance is deleting. */
const deleteExpiredSessions = new Statement({
  name: 'delete-expired-sessions',
  text: `
    DELETE FROM session
    WHERE id IN (SELECT id FROM session WHERE expires_at < now() - make_interval(secs => $1)
                 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
  parameters: { secondsAgo: sql.float8, limit: sql.int8 },
  columns: {},
});

/** A session with what a check of its key needs. */
export type ValidSession = RowIn<typeof findValidSession>;

/** The fields of a session in a list. */
type ListedSession = RowIn<typeof listValidSessions>;

/**
 * The condition that a session is neither revoked nor expired, by the database's clock: the clocks of the instances may
 * differ.
 */
const isValid = { revokedAt: IsNull(), expiresAt: Raw((column) => `${column} > now()`) };

/** Reads the valid sessions, and ends and deletes sessions. `SessionWriter` stores them. */
@Injectable()
export class SessionsStore {
  constructor(
    @InjectRepository(SessionEntity) private readonly sessions: Repository<SessionEntity>,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  /** Finds a session that is neither revoked nor expired. Every check reads it. */
  async findValid(id: string): Promise<ValidSession | undefined> {
    return await findValidSession.find(this.pool, { id });
  }

  /** Records that the chain confirmed the key of a session now. */
  async confirmKey(id: string): Promise<void> {
    await this.sessions.update({ id }, { keyConfirmedAt: () => 'now()' });
  }

  /** Returns up to `limit` valid sessions of an account, the newest first. @param before a session to continue after */
  async listValid(account: string, limit: number, before?: string): Promise<ListedSession[]> {
    return await listValidSessions.query(this.pool, { account, limit, before: before ?? null });
  }

  /** Revokes a session. @returns false if the account has no such valid session */
  async revoke(id: string, account: string): Promise<boolean> {
    const result = await this.sessions.update({ id, account, ...isValid }, { revokedAt: () => 'now()' });
    return result.affected === 1;
  }

  /**
   * Deletes at most `limit` sessions that expired more than `secondsAgo` ago, except those that another instance is
   * deleting.
   *
   * @returns the number of deleted sessions
   */
  async deleteExpired(secondsAgo: number, limit: number): Promise<number> {
    return await deleteExpiredSessions.execute(this.pool, { secondsAgo, limit });
  }
}
