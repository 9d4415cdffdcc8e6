import { exitOnError } from '@waggle/running/plain-error';
import { fastify } from 'fastify';
import { Pool } from 'pg';
import { z } from 'zod';
import { endpointPaths } from '../endpoints';
import { serviceStatements } from './statements';

/** The default of the service. */
const poolSize = 10;

const defaultLimit = 100;

const query = z.object({ account: z.string() });

/** A row of a list, which has the account of the other side only. */
interface ListRow {
  id: string;
  delegator?: string;
  delegatee?: string;
  amount: string;
  seconds?: string;
}

/**
 * A route and a statement for each endpoint. It checks nothing, has no limits, headers or metrics, and rounds amounts.
 */
async function main(): Promise<void> {
  const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: poolSize });
  const statements = await serviceStatements();

  const app = fastify();
  app.get(endpointPaths.account, async (request) => {
    const { account } = query.parse(request.query);
    const { rows } = await pool.query<string[]>({ ...statements.account, values: [account], rowMode: 'array' });
    const [totalIn, totalOut] = (rows[0] ?? []).slice(-2);
    return { account, balances: { in: Number(totalIn) / 1e6, out: Number(totalOut) / 1e6 } };
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

exitOnError(main());
