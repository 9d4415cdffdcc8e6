import { maxInstantMs } from '@waggle/contracts';
import { newIdentifier, POOL, type RowIn, sql, Statement } from '@waggle/service';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Pool } from 'pg';
import { IsNull, Raw, Repository } from 'typeorm';
import { beingErased, pendingErasure } from './pending-erasure';
import { SessionEntity, sessionTable } from './session.entity';

/** A session to store. */
interface NewSession {
  account: string;
  /** SHA-256 of the account and the signed text. */
  proof: Buffer;
  signingKey: Uint8Array;
  browser: string | null;
  ip: string | null;
  expiresAt: Date;
}

/** Maximum number of valid sessions of an account. Some clients never log out. */
const maxSessions = 1_000;

/** Ends the oldest sessions of an account, so that it has room for one more. */
const endOldestSessions = new Statement({
  name: 'end-oldest-sessions',
  text: `
    UPDATE session SET revoked_at = now()
    WHERE id = ANY(ARRAY(
      SELECT id FROM session WHERE account = $1 AND revoked_at IS NULL AND expires_at > now()
      ORDER BY created_at DESC, id DESC OFFSET ${maxSessions - 1}))`,
  parameters: { account: sessionTable.account },
  columns: {},
});

/** Returns a session, unless it is revoked or expired. */
const findValidSession = new Statement({
  name: 'find-valid-session',
  text: `
    SELECT id, account, renewed_at AS "renewedAt", signing_key AS "signingKey",
           (extract(epoch FROM now() - key_confirmed_at) * 1000)::float8 AS "keyConfirmedMsAgo"
    FROM session
    WHERE id = $1 AND revoked_at IS NULL AND expires_at > now()`,
  parameters: { id: sessionTable.id },
  columns: {
    id: sessionTable.id,
    account: sessionTable.account,
    renewedAt: sessionTable.renewedAt,
    signingKey: sessionTable.signingKey,
    /** Time since the key was last confirmed on the chain, in milliseconds by the database's clock. */
    keyConfirmedMsAgo: sql.notNull(sql.float8),
  },
});

/** Returns the valid sessions of an account after `$2` and `$3` in the list, the newest first. */
const listValidSessions = new Statement({
  name: 'list-sessions',
  text: `
    SELECT id, browser, ip, created_at AS "createdAt", renewed_at AS "renewedAt"
    FROM session
    WHERE account = $1 AND (created_at, id) < ($2, $3) AND revoked_at IS NULL AND expires_at > now()
    ORDER BY created_at DESC, id DESC
    LIMIT $4`,
  parameters: {
    account: sessionTable.account,
    before: sessionTable.createdAt,
    beforeId: sessionTable.id,
    limit: sql.int8,
  },
  columns: {
    id: sessionTable.id,
    browser: sessionTable.browser,
    ip: sessionTable.ip,
    createdAt: sessionTable.createdAt,
    renewedAt: sessionTable.renewedAt,
  },
});

/** A session that is neither revoked nor expired, by the database's clock: the clocks of the instances may differ. */
export type ValidSession = RowIn<typeof findValidSession>;

/** The fields of a session in a list. */
type ListedSession = RowIn<typeof listValidSessions>;

/** A position in the list of sessions, which the time and then the id orders. */
export type SessionPosition = Pick<ListedSession, 'id' | 'createdAt'>;

/** Stores sessions and reads the valid ones. */
@Injectable()
export class SessionsStore {
  constructor(
    @InjectRepository(SessionEntity) private readonly sessions: Repository<SessionEntity>,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  /**
   * Stores a session. Ends the oldest ones of the account if it would have more than `maxSessions`.
   * @returns its id
   * @throws ChatError `being-erased`
   */
  async create({ signingKey, ...session }: NewSession): Promise<string> {
    if (await this.isBeingErased(session.account)) throw beingErased();
    const id = newIdentifier();
    await endOldestSessions.execute(this.pool, { account: session.account });
    await this.sessions.insert({ id, ...session, signingKey: Buffer.from(signingKey) });
    return id;
  }

  /** Whether the data of an account is being erased. A session that begins at the same moment ends with the erasure. */
  async isBeingErased(account: string): Promise<boolean> {
    return (await pendingErasure.execute(this.pool, { account })) > 0;
  }

  /** Returns a session unless it is revoked or expired. Called for every request with a token. */
  findValid(id: string): Promise<ValidSession | undefined> {
    return findValidSession.find(this.pool, { id });
  }

  /** Returns the newest valid sessions of an account before a position, the newest first. */
  listValid(account: string, limit: number, before?: SessionPosition): Promise<ListedSession[]> {
    const { createdAt, id } = before ?? { createdAt: new Date(maxInstantMs), id: '' };
    return listValidSessions.query(this.pool, { account, before: createdAt, beforeId: id, limit });
  }

  /** Records that a session is renewed now. @returns whether it is valid */
  async renew(id: string): Promise<boolean> {
    const result = await this.sessions.update(
      { id, revokedAt: IsNull(), expiresAt: Raw((column) => `${column} > now()`) },
      { renewedAt: () => 'now()' },
    );
    return result.affected === 1;
  }

  /** Records that the key of a session was confirmed on the chain now. */
  async confirmKey(id: string): Promise<void> {
    await this.sessions.update({ id }, { keyConfirmedAt: () => 'now()' });
  }

  /** Ends a session. */
  async revoke(id: string): Promise<void> {
    await this.sessions.update({ id, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
  }

  /** Returns the sessions revoked within the last `seconds` by the database's clock. */
  async revokedWithin(seconds: number): Promise<string[]> {
    const rows = await this.sessions
      .createQueryBuilder('session')
      .select('session.id')
      .where(`session.revoked_at > now() - make_interval(secs => :seconds)`, { seconds })
      .getMany();
    return rows.map((row) => row.id);
  }
}
