import { parseArgs } from 'node:util';
import { databaseUrl, loadConfiguration, runMain } from '@waggle/service';
import { z } from 'zod';
import { channelWithIdSchema, createChannelWithId } from './conversations/channel-with-id';

const environmentAndArguments = z.object({ DATABASE_URL: databaseUrl, ...channelWithIdSchema.shape });

// The command that creates a channel: `DATABASE_URL=… node dist/create-channel.main.js --id … --name … --creator …`.
runMain(async () => {
  const options = { id: { type: 'string' }, name: { type: 'string' }, creator: { type: 'string' } } as const;
  const { DATABASE_URL, ...channel } = loadConfiguration(environmentAndArguments, {
    DATABASE_URL: process.env['DATABASE_URL'],
    ...parseArgs({ options }).values,
  });
  const isNew = await createChannelWithId(DATABASE_URL, channel);
  console.log(isNew ? `created the channel ${channel.id}` : `the channel ${channel.id} exists already`);
});
