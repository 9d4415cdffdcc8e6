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
import { IndexStatus } from './index-state/index-status';
import { formatLocalMethods } from './local/format-local-methods';
import { localMethodNames as localMethods } from './local/local-methods';
import { formatRouteTable } from './routes/format-route-table';
import { routeFileSetting } from './routes/route-file-setting';

/**
 * Prints the complete route table, or its errors: `node dist/check-config.main.js [file]`. Without a file it reads the
 * one that the gateway would use. With DATABASE_URL it also prints which methods are local at the moment.
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
  const irreversibleBlock = await readIrreversibleBlock(env.HIVE_API_NODES);
  const database = new Pool({ ...connectionOptions('rpc-gateway'), connectionString: env.DATABASE_URL, max: 1 });
  const logger = createLogger('rpc-gateway', 'warn');
  try {
    const head = { irreversibleBlock, reportAgeMs: 0, hasRecentReport: true };
    const index = new IndexStatus({ database, head, logger, maxLagSeconds: env.INDEX_MAX_LAG_SECONDS });
    console.log(formatLocalMethods(env.ROUTES_FILE.routes, await index.refresh()));
  } finally {
    await database.end();
  }
});

/** Reads the last irreversible block from a node. @returns undefined if none responds */
async function readIrreversibleBlock(nodes: readonly string[] | undefined): Promise<number | undefined> {
  if (nodes === undefined) return undefined;
  const hive = new HiveClient({ urls: nodes });
  try {
    const { lastIrreversibleBlockNumber } = await getDynamicGlobalProperties(hive);
    return lastIrreversibleBlockNumber;
  } catch {
    return undefined;
  } finally {
    await hive.close();
  }
}
