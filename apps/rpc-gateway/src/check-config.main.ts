import { loadConfiguration, runMain } from '@waggle/service';
import { z } from 'zod';
import { localMethodNames as localMethods } from './local/local-methods';
import { printedTable } from './routes/printed-table';
import { routesFile } from './routes/routes-file';

/** Prints what becomes of a route table, or every fault: `node dist/check-config.main.js [file]`, by default as at the start. */
runMain(() => {
  const [, , file = process.env['ROUTES_FILE']] = process.argv;
  const schema = z.object({ ROUTES_FILE: routesFile({ environment: process.env, localMethods, mayLackNodes: true }) });
  console.log(printedTable(loadConfiguration(schema, { ROUTES_FILE: file }).ROUTES_FILE));
  return Promise.resolve();
});
