import { exitOnError } from '@waggle/running/plain-error';
import { serveBaseline } from './socket-server';
import { StoredMessages } from './stored-messages';

/** Stores each message with an INSERT of its own, then delivers it. It may reorder the messages of a conversation. */
async function main(): Promise<void> {
  const messages = await StoredMessages.create();
  await serveBaseline((message, deliver) => {
    exitOnError(messages.store(message).then(deliver));
  });
}

exitOnError(main());
