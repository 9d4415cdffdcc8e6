import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { POOL } from '@waggle/service';
import { Pool } from 'pg';
import { IsNull, Raw, Repository } from 'typeorm';
import { SessionEntity } from './session.entity';

/** What a check needs of a session. */
export interface LiveSession {
  id: string;
  account: string;
  signingKey: Uint8Array;
  /** How long ago the chain last said that the key suffices, in milliseconds by the database's clock. */
  keyConfirmedMsAgo: number;
}

/** What a list shows of a session. */
export type ListedSession = Pick<SessionEntity, 'id' | 'userAgent' | 'ip' | 'createdAt' | 'expiresAt'>;

/** Neither revoked nor expired, by the database's clock: those of the instances may differ. */
const isLive = { revokedAt: IsNull(), expiresAt: Raw((column) => `${column} > now()`) };

@Injectable()
export class SessionsStore {
  constructor(
    @InjectRepository(SessionEntity) private readonly sessions: Repository<SessionEntity>,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  /** The session unless it was revoked or has expired. Every check asks this. */
  async findLive(id: string): Promise<LiveSession | undefined> {
    const { rows } = await this.pool.query<LiveSession>({
      name: 'find-live-session',
      text: `
        SELECT id, account, signing_key AS "signingKey",
               (extract(epoch FROM now() - key_confirmed_at) * 1000)::float8 AS "keyConfirmedMsAgo"
        FROM session
        WHERE id = $1 AND revoked_at IS NULL AND expires_at > now()`,
      values: [id],
    });
    return rows[0];
  }

  /** Notes that the chain says now that the session's key suffices. */
  async confirmKey(id: string): Promise<void> {
    await this.sessions.update({ id }, { keyConfirmedAt: () => 'now()' });
  }

  /** At most `limit` of the account's live sessions, the newest first, from the newest or from a session on (exclusive). */
  async listLive(account: string, limit: number, before?: string): Promise<ListedSession[]> {
    const { rows } = await this.pool.query<ListedSession>({
      name: 'list-live-sessions',
      text: `
        SELECT id, user_agent AS "userAgent", ip, created_at AS "createdAt", expires_at AS "expiresAt"
        FROM session
        WHERE account = $1 AND revoked_at IS NULL AND expires_at > now() AND ($3::text IS NULL OR id < $3)
        ORDER BY id DESC LIMIT $2`,
      values: [account, limit, before ?? null],
    });
    return rows;
  }

  /** @returns whether there was such a live session of the account */
  async revoke(id: string, account: string): Promise<boolean> {
    const result = await this.sessions.update({ id, account, ...isLive }, { revokedAt: () => 'now()' });
    return result.affected === 1;
  }

  /**
   * Deletes at most so many of those that expired so long ago, but for those that another instance is deleting.
   *
   * @returns how many
   */
  async deleteExpired(secondsAgo: number, most: number): Promise<number> {
    const { rowCount } = await this.pool.query({
      name: 'delete-expired-sessions',
      text: `
        DELETE FROM session
        WHERE id IN (SELECT id FROM session WHERE expires_at < now() - make_interval(secs => $1)
                     LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      values: [secondsAgo, most],
    });
    return rowCount ?? 0;
  }
}
