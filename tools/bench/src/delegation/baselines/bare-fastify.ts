import { explain } from '@waggle/running/plain-error';
import { fastify } from 'fastify';
import { Pool } from 'pg';
import { z } from 'zod';
import { endpointPaths } from '../endpoints';
import { servicesStatements } from './statements';

/** As many as the service has by default. */
const poolSize = 10;

const defaultLimit = 100;

const query = z.object({ account: z.string() });

/** What a list is made of; the other side's column alone is there. */
interface ListRow {
  id: string;
  delegator?: string;
  delegatee?: string;
  amount: string;
  seconds?: string;
}

/**
 * What a team writes in an hour: a route, a statement, the rows as JSON. It checks nothing, has no limits, headers, tags or
 * metrics, and rounds amounts.
 */
async function main(): Promise<void> {
  const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: poolSize });
  const statements = await servicesStatements();

  const app = fastify();
  app.get(endpointPaths.account, async (request) => {
    const { account } = query.parse(request.query);
    const { rows } = await pool.query<string[]>({ ...statements.account, values: [account], rowMode: 'array' });
    const [given, gives] = (rows[0] ?? []).slice(-2);
    return { account, balances: { in: Number(given) / 1e6, out: Number(gives) / 1e6 } };
  });
  for (const name of ['in', 'out', 'history-in', 'history-out'] as const) {
    app.get(endpointPaths[name], async (request) => {
      const { account } = query.parse(request.query);
      const values = [account, 0, Number.MAX_SAFE_INTEGER, defaultLimit];
      const { rows } = await pool.query<ListRow>({ ...statements[name], values });
      return rows.map(({ id, delegator = account, delegatee = account, amount, seconds }) => ({
        id: Number(id),
        ...(seconds === undefined ? {} : { created: new Date(Number(seconds) * 1_000).toISOString().slice(0, 19) }),
        delegator,
        amount: Number(amount) / 1e6,
        delegatee,
      }));
    });
  }
  process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
