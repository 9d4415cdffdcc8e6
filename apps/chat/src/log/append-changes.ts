import { type RowIn, sql, Statement } from '@waggle/service';
import { type ClientBase } from 'pg';
import { isByName, type ChangeEntry, type ChatEvent } from './entry';
import { accountStreamTable } from './account-stream.entity';
import { conversationTable } from './conversation.entity';
import { eventTable } from './event.entity';

const advanceConversations = new Statement({
  name: 'next-seqs-of-conversations',
  // An event for all subscribers makes a conversation the latest in lists; what one side of a direct conversation does,
  // does not.
  text: `
    WITH locked AS MATERIALIZED (SELECT id FROM conversation WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE)
    UPDATE conversation c
    SET last_seq = last_seq + 1, changed_seq = last_seq + 1,
        updated_at = CASE WHEN c.type <> 'dm' AND c.id = ANY($2) THEN greatest(updated_at, clock_timestamp()) ELSE updated_at END
    FROM locked WHERE c.id = locked.id
    RETURNING c.id AS stream, c.last_seq`,
  parameters: { ids: sql.arrayOf(conversationTable.id), idsWithEventForAll: sql.arrayOf(conversationTable.id) },
  columns: { stream: conversationTable.id, last_seq: conversationTable.lastSeq },
});

const advanceAccounts = new Statement({
  name: 'next-seqs-of-accounts',
  text: `
    INSERT INTO account_stream AS s (account, last_seq) SELECT account, 1 FROM unnest($1::text[]) AS a (account)
    ON CONFLICT (account) DO UPDATE SET last_seq = s.last_seq + 1 RETURNING account AS stream, last_seq`,
  parameters: { accounts: sql.arrayOf(accountStreamTable.account) },
  columns: { stream: accountStreamTable.account, last_seq: accountStreamTable.lastSeq },
});

const insertEvents = new Statement({
  name: 'insert-events',
  // Nested arrays must have one length in SQL, so the lists of accounts go as JSON.
  text: `
    WITH logged AS (
      INSERT INTO commit_log (at, streams, seqs) VALUES (clock_timestamp(), $1, $2)
    )
    INSERT INTO event (stream, seq, at, events, joins, leaves, subscriptions)
    SELECT stream, seq, clock_timestamp(), events,
           ARRAY(SELECT jsonb_array_elements_text(joins)), ARRAY(SELECT jsonb_array_elements_text(leaves)), subscriptions
    FROM unnest($1::text[], $2::bigint[], $3::jsonb[], $4::jsonb[], $5::jsonb[], $6::jsonb[])
      AS e (stream, seq, events, joins, leaves, subscriptions)`,
  parameters: {
    streams: sql.arrayOf(eventTable.stream),
    seqs: sql.arrayOf(eventTable.seq),
    events: sql.arrayOf(eventTable.events),
    joins: sql.arrayOf(sql.jsonb()),
    leaves: sql.arrayOf(sql.jsonb()),
    subscriptions: sql.arrayOf(eventTable.subscriptions),
  },
  columns: {},
});

/** A change to append: of a conversation, with who joins and leaves it, or of an account. */
export type NewChange =
  | { conversationId: string; events: readonly ChatEvent[]; joins?: readonly string[]; leaves?: readonly string[] }
  | (Pick<ChangeEntry, 'events'> & { account: string } & Partial<Pick<ChangeEntry, 'subscriptions'>>);

/**
 * Appends changes within the transaction that makes them. Each account that joins a conversation also gets an entry of
 * its own, which makes every instance that it is connected to subscribe it.
 *
 * @param changes at most one of each conversation and account
 * @returns the entries, accounts' entries first: an account that joins is then subscribed before the entry of the
 * conversation is delivered
 */
export async function appendChanges(client: ClientBase, changes: readonly NewChange[]): Promise<ChangeEntry[]> {
  // Conversations are locked before accounts, and both in one order, so that two transactions never deadlock.
  const conversations = await nextSeqsOfConversations(client, changes.filter(isOfConversation));
  const entries = changes.filter(isOfConversation).map(({ conversationId, events, joins = [], leaves = [] }) => {
    const seq = conversations.get(conversationId);
    if (seq === undefined) throw new Error('a change of a conversation that does not exist');
    return { stream: conversationId, seq, events, joins, leaves, subscriptions: [] };
  });
  return appendEntries(client, entries, changes.filter(isOfAccount));
}

/** Takes the next sequence number of a conversation for an entry that is inserted later in the transaction. */
export async function nextSeq(client: ClientBase, conversationId: string): Promise<number> {
  const seq = (await nextSeqsOfConversations(client, [{ conversationId, events: [] }])).get(conversationId);
  if (seq === undefined) throw new Error('a change of a conversation that does not exist');
  return seq;
}

type ConversationChange = Extract<NewChange, { conversationId: string }>;
type AccountChange = Extract<NewChange, { account: string }>;

function isOfConversation(change: NewChange): change is ConversationChange {
  return 'conversationId' in change;
}

function isOfAccount(change: NewChange): change is AccountChange {
  return 'account' in change;
}

/**
 * Appends entries of conversations whose sequence numbers are known, and entries of accounts for their changes and for
 * joins.
 * @returns as `appendChanges`
 */
export async function appendEntries(
  client: ClientBase,
  ofConversations: readonly ChangeEntry[],
  changes: readonly AccountChange[] = [],
): Promise<ChangeEntry[]> {
  const entries = [...(await createAccountEntries(client, ofConversations, changes)), ...ofConversations];
  await insertEntries(client, entries);
  return entries;
}

/**
 * Returns entries for the given changes of accounts, and for the accounts that join a conversation with one of the
 * given entries.
 */
async function createAccountEntries(
  client: ClientBase,
  ofConversations: readonly ChangeEntry[],
  changes: readonly AccountChange[],
): Promise<ChangeEntry[]> {
  const byAccount = new Map(
    changes.map(({ account, events, subscriptions = [] }) => [account, { events, subscriptions: [...subscriptions] }]),
  );
  for (const { stream, seq, joins } of ofConversations) {
    for (const account of joins) {
      const change = byAccount.get(account) ?? { events: [], subscriptions: [] };
      change.subscriptions.push({ conversation: stream, from: seq });
      byAccount.set(account, change);
    }
  }
  const seqs = await nextSeqsOfAccounts(client, [...byAccount.keys()]);
  return Array.from(seqs, ([account, seq]) => {
    const { events, subscriptions } = byAccount.get(account) ?? { events: [], subscriptions: [] };
    return { stream: account, seq, events, joins: [], leaves: [], subscriptions };
  });
}

async function nextSeqsOfConversations(
  client: ClientBase,
  changes: readonly ConversationChange[],
): Promise<Map<string, number>> {
  if (changes.length === 0) return new Map();
  const rows = await advanceConversations.query(client, {
    ids: changes.map(({ conversationId }) => conversationId).toSorted(),
    idsWithEventForAll: changes.filter(hasEventForAll).map(({ conversationId }) => conversationId),
  });
  return toSeqs(rows);
}

function hasEventForAll({ events }: ConversationChange): boolean {
  return events.some(({ to }) => !isByName(to));
}

async function nextSeqsOfAccounts(client: ClientBase, accounts: readonly string[]): Promise<Map<string, number>> {
  if (accounts.length === 0) return new Map();
  return toSeqs(await advanceAccounts.query(client, { accounts: accounts.toSorted() }));
}

function toSeqs(rows: readonly RowIn<typeof advanceConversations>[]): Map<string, number> {
  return new Map(rows.map(({ stream, last_seq }) => [stream, Number(last_seq)]));
}

async function insertEntries(client: ClientBase, entries: readonly ChangeEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await insertEvents.execute(client, {
    streams: entries.map(({ stream }) => stream),
    seqs: entries.map(({ seq }) => seq),
    events: entries.map(({ events }) => JSON.stringify(events)),
    joins: entries.map(({ joins }) => JSON.stringify(joins)),
    leaves: entries.map(({ leaves }) => JSON.stringify(leaves)),
    subscriptions: entries.map(({ subscriptions }) => JSON.stringify(subscriptions)),
  });
}
