import { exitOnError } from '@waggle/running';
import { readArguments } from './terminal-chat/arguments';
import { TerminalChat } from './terminal-chat/terminal-chat';

// This process ends with `run.mjs`, which started it.
process.once('disconnect', () => process.exit(0));

async function main(): Promise<void> {
  const chat = new TerminalChat(readArguments(process.argv.slice(2), process.env));
  await chat.run();
  process.exit(0);
}

exitOnError(main());
