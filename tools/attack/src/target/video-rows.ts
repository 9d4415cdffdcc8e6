import { randomUUID } from 'node:crypto';
import { type Target } from './target';

/** Inserts sessions of an account of the video log-in, as a day of log-ins creates them. */
export async function fillVideoSessions(target: Target, account: string, count: number): Promise<void> {
  await target.query(
    'video-auth',
    `INSERT INTO session (id, account, proof, signing_key, user_agent, ip, expires_at)
     SELECT $1 || '-' || n, $2, sha256(($1 || n)::bytea), '\\x02', repeat('a', 40), '127.0.0.1', now() + interval '7 days'
     FROM generate_series(1, $3::int) n`,
    [randomUUID(), account, count],
  );
  // As autovacuum would have done since.
  await target.query('video-auth', 'ANALYZE', []);
}
