import { getDynamicGlobalProperties, HiveClient } from '@waggle/chain';
import {
  connectionOptions,
  createLogger,
  databaseUrl,
  hiveApiNodes,
  loadConfiguration,
  runMain,
} from '@waggle/service';
import { Pool } from 'pg';
import { z } from 'zod';
import { maxLagSeconds } from './config';
import { type IrreversibleHead, IndexStatus } from './index-state/index-status';
import { formatLocalMethods } from './local/format-local-methods';
import { localMethodNames as localMethods } from './local/local-methods';
import { formatRouteTable } from './routes/format-route-table';
import { routeFileSetting } from './routes/route-file-setting';

/**
 * Prints the complete route table, or its errors: `node dist/check-config.main.js [file]`. Without a file it reads the one that the
 * gateway would use. With DATABASE_URL it also prints which methods are local at the moment.
 */
runMain(async () => {
  const [, , file = process.env['ROUTES_FILE']] = process.argv;
  const schema = z.object({
    ROUTES_FILE: routeFileSetting({ environment: process.env, localMethods, mayLackNodes: true }),
    DATABASE_URL: databaseUrl.optional(),
    HIVE_API_NODES: hiveApiNodes.optional(),
    INDEX_MAX_LAG_SECONDS: maxLagSeconds,
  });
  const env = loadConfiguration(schema, { ...process.env, ROUTES_FILE: file });
  console.log(formatRouteTable(env.ROUTES_FILE));
  console.log();
  if (env.DATABASE_URL === undefined) {
    console.log('Which methods are local at the moment is not checked: DATABASE_URL is not set.');
    return;
  }
  const head = await readHead(env.HIVE_API_NODES);
  const database = new Pool({ ...connectionOptions('rpc-gateway'), connectionString: env.DATABASE_URL, max: 1 });
  const logger = createLogger('rpc-gateway', 'warn');
  try {
    const index = new IndexStatus({ database, head, logger, maxLagSeconds: env.INDEX_MAX_LAG_SECONDS });
    console.log(formatLocalMethods(env.ROUTES_FILE.routes, await index.refresh()));
  } finally {
    await database.end();
  }
});

/** Reads the head from a node. If none responds, it is unknown. */
async function readHead(nodes: readonly string[] | undefined): Promise<IrreversibleHead> {
  if (nodes === undefined) return { irreversibleBlock: undefined, ageMs: 0 };
  const hive = new HiveClient({ urls: nodes });
  try {
    const { lastIrreversibleBlockNumber } = await getDynamicGlobalProperties(hive);
    return { irreversibleBlock: lastIrreversibleBlockNumber, ageMs: 0 };
  } catch {
    return { irreversibleBlock: undefined, ageMs: 0 };
  } finally {
    await hive.close();
  }
}
