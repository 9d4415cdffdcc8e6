import { randomUUID } from 'node:crypto';
import { exitOnError } from '@waggle/running/plain-error';
import { serveBaseline } from './socket-server';

/** The upper limit: delivers each message without storing it. */
exitOnError(
  serveBaseline((message, deliver) => {
    deliver({ ...message, id: randomUUID(), sentAt: new Date() });
  }),
);
