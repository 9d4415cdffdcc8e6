import { parseArgs } from 'node:util';
import { accountName, channelBody, identifier } from '@waggle/contracts';
import { databaseUrl, loadConfiguration, runMain } from '@waggle/service';
import { z } from 'zod';
import { provideChannel } from './conversations/provided-channel';

/** The arguments of the command, and the variable that it reads. */
const settings = z.object({
  DATABASE_URL: databaseUrl,
  // Conversations and accounts share the names of streams, also on the wire.
  id: identifier.refine((id) => !accountName.safeParse(id).success, 'must not be a valid account name, such as bees'),
  name: channelBody.shape.name,
  creator: accountName,
});

// The command that creates a channel: `DATABASE_URL=… node dist/create-channel.js --id … --name … --creator …`.
runMain(async () => {
  const options = { id: { type: 'string' }, name: { type: 'string' }, creator: { type: 'string' } } as const;
  const { DATABASE_URL } = process.env;
  const { DATABASE_URL: url, ...channel } = loadConfiguration(settings, {
    DATABASE_URL,
    ...parseArgs({ options }).values,
  });
  const isNew = await provideChannel(url, channel);
  console.log(isNew ? `created the channel ${channel.id}` : `the channel ${channel.id} exists already`);
});
