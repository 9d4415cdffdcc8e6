import { exitOnError } from '@waggle/running/plain-error';
import { type Deliver, type SentMessage, serveBaseline } from './socket-server';
import { StoredBatches } from './stored-batches';

/** The next INSERT is sent while one is committed. */
const connections = 2;

/**
 * Stores all pending messages with one INSERT as soon as one of two connections is free, and writes to each socket once per turn of
 * the event loop. It may reorder the messages of a conversation.
 */
async function main(): Promise<void> {
  const batches = await StoredBatches.create(connections);
  let pending: { message: SentMessage; deliver: Deliver }[] = [];
  let inFlight = 0;

  const flush = async () => {
    if (pending.length === 0 || inFlight === connections) return;
    const batch = pending;
    pending = [];
    inFlight += 1;
    const stored = await batches.store(batch.map(({ message }) => message));
    inFlight -= 1;
    // Before delivery, so that PostgreSQL is not idle meanwhile.
    start();
    stored.forEach((message, i) => batch[i]?.deliver(message));
  };
  const start = () => {
    exitOnError(flush());
  };
  const baseline = (message: SentMessage, deliver: Deliver) => {
    // Waits for the other messages of this turn of the event loop.
    if (pending.push({ message, deliver }) === 1) setImmediate(start);
  };
  await serveBaseline(baseline, { coalescesWrites: true });
}

exitOnError(main());
