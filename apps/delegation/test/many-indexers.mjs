// Several indexers in one process, each of a database of its own: what kills the process kills each of them. They are made
// and begun as indexer.main does it. What takes long is to load Node and the packages, and that is done once.
import process from 'node:process';
import { serve } from '@waggle/service';
import { readIndexerConfig } from '../dist/config.js';
import { createDelegationIndexer } from '../dist/indexer.app.js';

async function begin(DATABASE_URL) {
  const config = readIndexerConfig({ ...process.env, DATABASE_URL });
  const { app, logger, readiness, start } = await createDelegationIndexer(config);
  await serve(app, { logger, readiness, host: config.http.host, port: config.http.port });
  start();
}

for (const url of JSON.parse(process.env.DATABASE_URLS)) {
  // One whose connection says nothing any more gives up before the process is killed; the others are not to end with it.
  begin(url).catch((error) => process.stderr.write(`${error}\n`));
}
