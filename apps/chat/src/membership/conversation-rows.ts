import { conversationType, type Conversation } from '@waggle/contracts';
import { type Queryable, type RowOf, Statement } from '@waggle/service';
import { conversationTable } from '../log/conversation.entity';
import { memberTable } from '../log/member.entity';
import { conversationColumns, creatorAndAccount, selectConversationsFrom } from './conversation-sql';

type ConversationRow = RowOf<typeof conversationColumns>;

/** A conversation as of a sequence number. */
export interface ConversationSnapshot {
  conversation: Conversation;
  lastSeq: number;
  /** Size of the conversation in JSON. */
  bytes: number;
}

const conversationForEvent = new Statement({
  name: 'conversation-for-event',
  text: `${selectConversationsFrom('conversation', '$2', [], creatorAndAccount('$2'))} WHERE c.id = $1`,
  parameters: { id: conversationTable.id, account: memberTable.account },
  columns: conversationColumns,
});

/**
 * Reads an existing conversation for an event, as this client's transaction sees it. Of the members of a channel, which
 * may have any number, it reads only the creator and the account.
 *
 * @param account the account that was added, joined, or created the conversation
 */
export async function readConversation(client: Queryable, id: string, account: string): Promise<Conversation> {
  const row = await conversationForEvent.find(client, { id, account });
  if (row === undefined) throw new Error('an existing conversation was not found');
  return toConversation(row);
}

export function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    type: conversationType.parse(row.type),
    ...(row.name !== null && { name: row.name }),
    creator: row.creator,
    members: namesIn(row.members),
    moderators: namesIn(row.moderators),
    blocked: row.blocked,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function toSnapshot(row: ConversationRow): ConversationSnapshot {
  return { conversation: toConversation(row), lastSeq: Number(row.last_seq), bytes: row.bytes };
}

function namesIn(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}
