import { Inject, Injectable } from '@nestjs/common';
import { POOL, sql, Statement } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { conversationTable } from '../log/conversation.entity';
import { memberTable } from '../log/member.entity';
import { dmOfPair, orderedPair } from '../relations/pair';

/** SQL: idempotency keys of groups that were created since then are valid. The first entry is stored for longer. */
const keysValidSince = `clock_timestamp() - interval '24 hours'`;

/** The sequence number of the first entry of a conversation, which announces it. */
export const creationSeq = 1;

const groupByClientId = new Statement({
  name: 'group-by-client-id',
  text: `SELECT id FROM conversation WHERE client_creator = $1 AND client_id = $2 AND created_at > ${keysValidSince}`,
  parameters: {
    creator: sql.notNull(conversationTable.clientCreator),
    clientId: sql.notNull(conversationTable.clientId),
  },
  columns: { id: conversationTable.id },
});

/** Stores a conversation whose first entry, its creation, has its sequence number already. */
const insertConversation = new Statement({
  name: 'insert-conversation',
  text: `
    INSERT INTO conversation (id, type, creator, name, dm_first, dm_second, client_creator, client_id, last_seq, changed_seq)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ${creationSeq}, ${creationSeq})
    ON CONFLICT DO NOTHING`,
  parameters: {
    id: conversationTable.id,
    type: conversationTable.type,
    creator: conversationTable.creator,
    name: conversationTable.name,
    first: conversationTable.dmFirst,
    second: conversationTable.dmSecond,
    clientCreator: conversationTable.clientCreator,
    clientId: conversationTable.clientId,
  },
  columns: {},
});

/** Stores members, who join in the given order. */
const insertMembers = new Statement({
  name: 'insert-members',
  text: `
    INSERT INTO member (conversation_id, account)
    SELECT $1, account FROM unnest($2::text[]) WITH ORDINALITY AS listed (account, n) ORDER BY n`,
  parameters: { id: memberTable.conversationId, accounts: sql.arrayOf(memberTable.account) },
  columns: {},
});

/** Removes an idempotency key that is no longer valid from its group. */
const releaseClientId = new Statement({
  name: 'release-client-id',
  text: `
    UPDATE conversation SET client_creator = NULL, client_id = NULL
    WHERE client_creator = $1 AND client_id = $2 AND created_at <= ${keysValidSince}`,
  parameters: {
    creator: sql.notNull(conversationTable.clientCreator),
    clientId: sql.notNull(conversationTable.clientId),
  },
  columns: {},
});

/** A conversation to store. */
type NewConversation = { id: string; creator: string } & (
  | { type: 'dm'; other: string }
  | { type: 'group'; members: readonly string[]; clientId: string | null }
  | { type: 'channel'; name: string }
);

/** Stores new conversations, and finds what a request to create one would repeat. */
@Injectable()
export class NewConversationsStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * Returns the id of the group that the account created with this idempotency key. Finds nothing after the key expires
   * (24 hours). The account need not be the group's creator any more.
   */
  async findByClientId(creator: string, clientId: string): Promise<string | undefined> {
    return (await groupByClientId.find(this.pool, { creator, clientId }))?.id;
  }

  /** Returns the id of the dm of two accounts, if they have one. */
  async findDmId(account: string, other: string): Promise<string | undefined> {
    const [first, second] = orderedPair(account, other);
    return (await dmOfPair.find(this.pool, { first, second }))?.id;
  }

  /**
   * Stores a conversation and its members: of a dm the other account and then the creator, of a group in the given
   * order, of a channel its creator.
   * @returns false, and stores nothing, if the id is in use, the pair has a dm, or the creator a group with this key
   */
  async insert(client: ClientBase, conversation: NewConversation): Promise<boolean> {
    const { id, type, creator } = conversation;
    const [first, second] = type === 'dm' ? orderedPair(creator, conversation.other) : [null, null];
    const clientId = type === 'group' ? conversation.clientId : null;
    if (clientId !== null) await releaseClientId.execute(client, { creator, clientId });
    const inserted = await insertConversation.execute(client, {
      id,
      type,
      creator,
      name: type === 'channel' ? conversation.name : null,
      first,
      second,
      clientCreator: clientId === null ? null : creator,
      clientId,
    });
    if (inserted === 0) return false;
    await insertMembers.execute(client, { id, accounts: membersOf(conversation) });
    return true;
  }
}

function membersOf(conversation: NewConversation): string[] {
  if (conversation.type === 'group') return [...conversation.members];
  return conversation.type === 'dm' ? [conversation.other, conversation.creator] : [conversation.creator];
}
