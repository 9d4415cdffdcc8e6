import { accountName, channelBody, identifier } from '@waggle/contracts';
import { ConfigurationError, inTransaction, poolOf, requireMigrated } from '@waggle/service';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { chatDatabase } from '../database';
import { storeChannel, type NewChannel } from './conversation-creation';
import { ConversationsStore } from './conversations.store';
import { NewConversationsStore } from './new-conversations.store';

/** A channel whose id an operator chose. */
export const channelWithIdSchema = z.object({
  // A stream is named by a conversation's id or an account's name, so an id must not be an account name.
  id: identifier.refine((id) => !accountName.safeParse(id).success, 'must not be a valid account name, such as bees'),
  name: channelBody.shape.name,
  creator: accountName,
});

/**
 * Creates a channel whose id an operator chose, for clients that have it in their configuration. Running instances read
 * it from the database and deliver it to its creator. Does not check that the creator is an account of the chain.
 *
 * @param url of the database
 * @returns false if there is a channel with this id; then nothing changes, even if its name or creator differs
 * @throws ConfigurationError if another conversation has this id
 */
export async function createChannelWithId(url: string, channel: NewChannel): Promise<boolean> {
  const dataSource = await new DataSource(chatDatabase({ url, poolSize: 1 })).initialize();
  try {
    await requireMigrated(dataSource, 'chat');
    const pool = poolOf(dataSource);
    const newConversations = new NewConversationsStore(pool);
    const entries = await inTransaction(pool, (client) => storeChannel(client, newConversations, channel));
    if (entries !== undefined) return true;
    const { snapshots } = await new ConversationsStore(pool).findVisible([channel.id], channel.creator);
    if (snapshots[0]?.conversation.type === 'channel') return false;
    throw new ConfigurationError([`id: ${channel.id} is the id of another conversation`]);
  } finally {
    await dataSource.destroy();
  }
}
