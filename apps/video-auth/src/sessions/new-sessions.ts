import { Inject, Injectable } from '@nestjs/common';
import { POOL, sql, Statement } from '@waggle/service';
import { Pool } from 'pg';

/** A log-in about to be stored. */
export interface NewSession {
  id: string;
  account: string;
  /** sha256 of account and signed text. */
  proof: Buffer;
  signingKey: Uint8Array;
  userAgent: string | null;
  ip: string | null;
  expiresAt: Date;
}

/** Stores the first session of each proof that has none yet. Rows: the ids of those that were stored. */
const insertSessions = new Statement({
  name: 'insert-sessions',
  text: `
    INSERT INTO session (id, account, proof, signing_key, user_agent, ip, expires_at)
    SELECT id, account, proof, signing_key, user_agent, ip, expires_at
    FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[], $5::text[], $6::text[], $7::timestamptz[])
      WITH ORDINALITY AS s (id, account, proof, signing_key, user_agent, ip, expires_at, place)
    -- Instances that store the same proofs wait for one another, and never both at once.
    ORDER BY proof, place
    ON CONFLICT (proof) DO NOTHING
    RETURNING id`,
  parameters: {
    ids: sql.arrayOf(sql.text),
    accounts: sql.arrayOf(sql.text),
    proofs: sql.arrayOf(sql.bytea),
    signingKeys: sql.arrayOf(sql.bytea),
    userAgents: sql.arrayOf(sql.nullable(sql.text)),
    ips: sql.arrayOf(sql.nullable(sql.text)),
    expiresAt: sql.arrayOf(sql.timestamptz),
  },
  columns: { id: sql.text },
});

interface Waiting {
  session: NewSession;
  resolve: (isStored: boolean) => void;
  reject: (error: unknown) => void;
}

/** Statements under way at once: while one waits for its commit the next is filled. More of them only makes them smaller. */
const statementsMost = 2;
/** Rows of one statement at most, so that none takes long. */
const rowsMost = 500;

/**
 * Stores new sessions: all that wait go into one statement and one commit, as soon as one may be begun. A commit waits for
 * the disk; one for each log-in would make that, times the size of the pool, the limit of an instance.
 */
@Injectable()
export class NewSessions {
  private waiting: Waiting[] = [];
  private underWay = 0;

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** @returns whether it was stored: a proof makes one session, whatever has forgotten that it was used. */
  store(session: NewSession): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ session, resolve, reject });
      // After this turn of the event loop: others may be about to come.
      if (this.waiting.length === 1)
        setImmediate(() => {
          this.storeWaiting();
        });
    });
  }

  private storeWaiting() {
    if (this.underWay >= statementsMost || this.waiting.length === 0) return;
    const batch = this.waiting.splice(0, rowsMost);
    this.underWay += 1;
    void this.storeAll(batch).finally(() => {
      this.underWay -= 1;
      this.storeWaiting();
    });
  }

  private async storeAll(batch: readonly Waiting[]): Promise<void> {
    try {
      const stored = await this.insert(batch.map(({ session }) => session));
      for (const { session, resolve } of batch) resolve(stored.has(session.id));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** @returns the ids of those whose proof has no session yet; of several with one proof the first */
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
