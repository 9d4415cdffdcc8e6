import { explain } from '@waggle/running/plain-error';
import { type Deliver, type SentMessage, serveBaseline } from './socket-server';
import { StoredBatches } from './stored-batches';

/** While one INSERT is being committed, the next one is sent. */
const connections = 2;

/**
 * Baseline D, group commit: all messages that wait are stored by one INSERT as soon as one of two connections is free, and
 * each socket is written once per turn of the event loop. Messages of one conversation may be delivered in another order
 * than they were sent in.
 */
async function main(): Promise<void> {
  const batches = await StoredBatches.create(connections);
  let waiting: { message: SentMessage; deliver: Deliver }[] = [];
  let underWay = 0;

  const flush = async () => {
    if (waiting.length === 0 || underWay === connections) return;
    const batch = waiting;
    waiting = [];
    underWay += 1;
    const stored = await batches.store(batch.map(({ message }) => message));
    underWay -= 1;
    // Before the delivery, so that PostgreSQL works meanwhile.
    start();
    stored.forEach((message, i) => batch[i]?.deliver(message));
  };
  const start = () => {
    flush().catch(fail);
  };
  const baseline = (message: SentMessage, deliver: Deliver) => {
    // The other messages of this turn of the event loop join the first one.
    if (waiting.push({ message, deliver }) === 1) setImmediate(start);
  };
  await serveBaseline(baseline, { coalescesWrites: true });
}

function fail(error: unknown): never {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

main().catch(fail);
