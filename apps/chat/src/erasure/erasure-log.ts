import { accountName } from '@waggle/contracts';
import { ConfigurationError, inTransaction, poolOf, requireMigrated, sql, Statement } from '@waggle/service';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { chatDatabase } from '../database';
import { erasureTable } from '../sessions/erasure.entity';

/** Maximum number of rows that a statement reads. */
const maxRows = 1_000;

/** Returns the next erasures, in the order of accounts. */
const loggedErasures = new Statement({
  name: 'logged-erasures',
  text: `
    SELECT account, signed_at, requested_at, finished_at FROM erasure WHERE account > $1 ORDER BY account LIMIT ${maxRows}`,
  parameters: { after: erasureTable.account },
  columns: {
    account: erasureTable.account,
    signed_at: erasureTable.signedAt,
    requested_at: erasureTable.requestedAt,
    finished_at: erasureTable.finishedAt,
  },
});

/**
 * Requests an erasure again, unless the database has a request as new as this one. Messages from `kept_from` on are
 * kept: the account may log in again after its erasure.
 */
const repeatErasure = new Statement({
  name: 'repeat-erasure',
  text: `
    INSERT INTO erasure AS former (account, signed_at, requested_at, kept_from, next_at) VALUES ($1, $2, $3, $4, now())
    ON CONFLICT (account) DO UPDATE
      SET signed_at = excluded.signed_at, requested_at = excluded.requested_at, started_at = NULL,
          finished_at = NULL, kept_from = excluded.kept_from, conversation_id = '', seq = NULL, next_at = now()
      WHERE former.requested_at < excluded.requested_at`,
  parameters: {
    account: erasureTable.account,
    signedAt: erasureTable.signedAt,
    requestedAt: erasureTable.requestedAt,
    keptFrom: sql.notNull(erasureTable.keptFrom),
  },
  columns: {},
});

const time = z.iso.datetime();
/** A line of the log. */
const erasureLine = z.object({
  account: accountName,
  signed_at: time,
  requested_at: time,
  finished_at: time.nullable(),
});
type ErasureLine = z.infer<typeof erasureLine>;

/** Returns the log of erasures: one line of JSON for each account, without messages and keys. */
export async function* exportErasures(url: string): AsyncGenerator<string, void, undefined> {
  const dataSource = await connect(url);
  try {
    for (let after = ''; ;) {
      const rows = await loggedErasures.query(poolOf(dataSource), { after });
      for (const row of rows) yield JSON.stringify(row);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.account;
    }
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Requests erasures again after a backup was restored that is older than they are. Instances execute them, but keep the
 * messages that the accounts sent after the erasure.
 *
 * @param lines from `exportErasures`
 * @returns the number of requested erasures
 * @throws ConfigurationError if a line is not valid; then no erasure is requested
 */
export async function replayErasures(url: string, lines: AsyncIterable<string>): Promise<number> {
  const erasures: ErasureLine[] = [];
  for await (const text of lines) erasures.push(parseLine(text, erasures.length + 1));
  const dataSource = await connect(url);
  try {
    return await inTransaction(poolOf(dataSource), async (client) => {
      let count = 0;
      for (const { account, signed_at, requested_at, finished_at } of erasures) {
        count += await repeatErasure.execute(client, {
          account,
          signedAt: new Date(signed_at),
          requestedAt: new Date(requested_at),
          keptFrom: new Date(finished_at ?? requested_at),
        });
      }
      return count;
    });
  } finally {
    await dataSource.destroy();
  }
}

async function connect(url: string): Promise<DataSource> {
  const dataSource = await new DataSource(chatDatabase({ url, poolSize: 1 })).initialize();
  await requireMigrated(dataSource, 'chat');
  return dataSource;
}

/** @throws ConfigurationError */
function parseLine(text: string, number: number): ErasureLine {
  try {
    return erasureLine.parse(JSON.parse(text));
  } catch {
    throw new ConfigurationError([`line ${number} is not one of \`erasures.main.js export\``]);
  }
}
