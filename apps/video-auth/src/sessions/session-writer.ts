import { Inject, Injectable } from '@nestjs/common';
import { Batcher, POOL, ServiceError, sql, Statement } from '@waggle/service';
import { Pool } from 'pg';
import { sessionTable } from './session.entity';

/** A log-in about to be stored. */
export interface NewSession {
  id: string;
  account: string;
  /** SHA-256 of the account and the signed text. */
  proof: Buffer;
  signingKey: Uint8Array;
  userAgent: string | null;
  ip: string | null;
  expiresAt: Date;
}

/** Stores the first session of each proof that has none yet. Returns the ids of the stored sessions. */
const insertSessions = new Statement({
  name: 'insert-sessions',
  text: `
    INSERT INTO session (id, account, proof, signing_key, user_agent, ip, expires_at)
    SELECT id, account, proof, signing_key, user_agent, ip, expires_at
    FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[], $5::text[], $6::text[], $7::timestamptz[])
      WITH ORDINALITY AS s (id, account, proof, signing_key, user_agent, ip, expires_at, position)
    -- Instances that store the same proofs lock them in the same order, so they cannot deadlock.
    ORDER BY proof, position
    ON CONFLICT (proof) DO NOTHING
    RETURNING id`,
  parameters: {
    ids: sql.arrayOf(sessionTable.id),
    accounts: sql.arrayOf(sessionTable.account),
    proofs: sql.arrayOf(sessionTable.proof),
    signingKeys: sql.arrayOf(sessionTable.signingKey),
    userAgents: sql.arrayOf(sessionTable.userAgent),
    ips: sql.arrayOf(sessionTable.ip),
    expiresAt: sql.arrayOf(sessionTable.expiresAt),
  },
  columns: { id: sessionTable.id },
});

/** Maximum number of rows of a statement, so that none takes long. */
const maxItems = 500;
/**
 * Maximum number of concurrent statements: while one waits for its commit, the next collects log-ins. With more, each
 * is only smaller.
 */
const maxFlushes = 2;
/** Maximum number of log-ins that wait; more are rejected. */
const maxQueued = 10_000;
/** Log-ins with one proof are repetitions: one of them is stored. */
const maxQueuedPerKey = 100;
/** Maximum time that a log-in waits, in milliseconds. */
const maxWaitMs = 5_000;

/** Stores new sessions in batches. With one commit per log-in, disk latency and pool size would limit an instance. */
@Injectable()
export class SessionWriter {
  private readonly batcher = new Batcher<NewSession, boolean>({
    keyOf: ({ proof }) => proof.toString('base64'),
    flush: async (sessions) => {
      const stored = await this.insert(sessions);
      return new Map(sessions.map((session) => [session, stored.has(session.id)]));
    },
    maxItems,
    maxFlushes,
    maxQueued,
    maxQueuedPerKey,
    maxWaitMs,
    overloaded: () =>
      new ServiceError('unavailable', 'too many log-ins wait for the database', { retryAfterMs: 1_000 }),
  });

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * Stores a session, together with others that are added at the same time.
   *
   * @returns whether it was stored: a proof starts one session, even if Redis lost the record of its use
   * @throws ServiceError `unavailable` if too many wait
   */
  add(session: NewSession): Promise<boolean> {
    return this.batcher.add(session);
  }

  /** Stores sessions. @returns the ids of the stored ones: a session is not stored if its proof has one already */
  private async insert(sessions: readonly NewSession[]): Promise<Set<string>> {
    const rows = await insertSessions.query(this.pool, {
      ids: sessions.map(({ id }) => id),
      accounts: sessions.map(({ account }) => account),
      proofs: sessions.map(({ proof }) => proof),
      signingKeys: sessions.map(({ signingKey }) => signingKey),
      userAgents: sessions.map(({ userAgent }) => userAgent),
      ips: sessions.map(({ ip }) => ip),
      expiresAt: sessions.map(({ expiresAt }) => expiresAt),
    });
    return new Set(rows.map(({ id }) => id));
  }
}
