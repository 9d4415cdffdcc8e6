import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { databaseUrl, loadConfiguration, runMain } from '@waggle/service';
import { z } from 'zod';
import { exportErasures, replayErasures } from './erasure/erasure-log';

const environmentAndArguments = z.object({ DATABASE_URL: databaseUrl, command: z.enum(['export', 'replay']) });

// Keeps erasures beyond a restored backup:
// `DATABASE_URL=… node dist/erasures.main.js export > erasures.ndjson`, and `… replay < erasures.ndjson`.
runMain(async () => {
  const { DATABASE_URL, command } = loadConfiguration(environmentAndArguments, {
    DATABASE_URL: process.env['DATABASE_URL'],
    command: parseArgs({ allowPositionals: true }).positionals.join(' '),
  });
  if (command === 'export') {
    for await (const line of exportErasures(DATABASE_URL)) console.log(line);
  } else {
    const count = await replayErasures(DATABASE_URL, createInterface({ input: process.stdin }));
    console.log(`${count} accounts are erased again`);
  }
});
