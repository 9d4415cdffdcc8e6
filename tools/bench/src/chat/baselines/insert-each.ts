import { explain } from '@waggle/running/plain-error';
import { serveBaseline } from './socket-server';
import { StoredMessages } from './stored-messages';

/**
 * Baselines B and C, what a team writes in a day: one INSERT for each message, and both sides (of a group: everybody) are
 * told when it is done. Messages of one conversation may come in another order than they were sent in.
 */
async function main(): Promise<void> {
  const messages = await StoredMessages.create();
  await serveBaseline((message, tell) => {
    messages.store(message).then(tell, fail);
  });
}

function fail(error: unknown): never {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

main().catch(fail);
