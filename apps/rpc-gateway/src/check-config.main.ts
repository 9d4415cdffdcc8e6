import { loadConfiguration, runMain } from '@waggle/service';
import { z } from 'zod';
import { localMethodNames as localMethods } from './local/local-methods';
import { formatRouteTable } from './routes/format-route-table';
import { routeFileSetting } from './routes/route-file-setting';

/**
 * Prints the complete route table, or its errors: `node dist/check-config.main.js [file]`. Without a file it reads the one that the
 * gateway would use.
 */
runMain(() => {
  const [, , file = process.env['ROUTES_FILE']] = process.argv;
  const ROUTES_FILE = routeFileSetting({ environment: process.env, localMethods, mayLackNodes: true });
  const schema = z.object({ ROUTES_FILE });
  console.log(formatRouteTable(loadConfiguration(schema, { ROUTES_FILE: file }).ROUTES_FILE));
  return Promise.resolve();
});
