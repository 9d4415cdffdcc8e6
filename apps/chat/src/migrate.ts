import { databaseUrl, loadConfiguration, runMain } from '@waggle/service';
import { z } from 'zod';
import { migrate } from './database';

/** Brings the chat's database up to date: `DATABASE_URL=… node dist/migrate.js`. */
runMain(async () => {
  const { DATABASE_URL } = loadConfiguration(z.object({ DATABASE_URL: databaseUrl }), process.env);
  const done = await migrate(DATABASE_URL);
  console.log(done.length > 0 ? `ran ${done.join(', ')}` : 'nothing to migrate');
});
