import { randomUUID } from 'node:crypto';
import { explain } from '@waggle/running/plain-error';
import { serveBaseline } from './socket-server';

/** Baseline A, the limit: forwards each message to both sides and stores nothing. */
serveBaseline((message, tell) => {
  tell({ ...message, id: randomUUID(), sentAt: new Date() });
}).catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
