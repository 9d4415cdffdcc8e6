import { type RowIn, sql, Statement } from '@waggle/service';
import { type ClientBase } from 'pg';
import { isByName, type ChangeEntry, type ChatEvent, type Subscription } from './entry';
import { accountStreamTable } from './account-stream.entity';
import { storeHistoryChanges } from './history-changes';
import { conversationTable } from './conversation.entity';
import { eventTable } from './event.entity';

/**
 * Locks conversations in the order of their ids, and takes the next sequence number of each.
 *
 * An event for all subscribers of a group or channel moves it to the top of lists, which `updated_at` orders, unless it
 * is quiet. Only messages move a dm.
 */
const nextSeqsOfConversations = new Statement({
  name: 'next-seqs-of-conversations',
  text: `
    WITH locked AS MATERIALIZED (SELECT id FROM conversation WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE)
    UPDATE conversation c
    SET last_seq = last_seq + 1, changed_seq = CASE WHEN c.id = ANY($3) THEN changed_seq ELSE last_seq + 1 END,
        updated_at = CASE WHEN c.type <> 'dm' AND c.id = ANY($2) THEN greatest(updated_at, clock_timestamp()) ELSE updated_at END
    FROM locked WHERE c.id = locked.id
    RETURNING c.id AS stream, c.last_seq`,
  parameters: {
    ids: sql.arrayOf(conversationTable.id),
    movedIds: sql.arrayOf(conversationTable.id),
    quietIds: sql.arrayOf(conversationTable.id),
  },
  columns: { stream: conversationTable.id, last_seq: conversationTable.lastSeq },
});

/** Takes the next sequence number of each account. */
const nextSeqsOfAccounts = new Statement({
  name: 'next-seqs-of-accounts',
  text: `
    INSERT INTO account_stream AS s (account, last_seq) SELECT account, 1 FROM unnest($1::text[]) AS a (account)
    ON CONFLICT (account) DO UPDATE SET last_seq = s.last_seq + 1 RETURNING account AS stream, last_seq`,
  parameters: { accounts: sql.arrayOf(accountStreamTable.account) },
  columns: { stream: accountStreamTable.account, last_seq: accountStreamTable.lastSeq },
});

/** Stores entries, and logs them as one commit. */
const insertEvents = new Statement({
  name: 'insert-events',
  // An array of arrays would need rows of equal length, so each list of accounts is passed as JSON.
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

/** A change to append to the stream of a conversation, and the accounts that join or leave with it. */
interface ConversationChange {
  conversationId: string;
  events: readonly ChatEvent[];
  joins?: readonly string[];
  leaves?: readonly string[];
  /**
   * Whether it changes only a message, and not who may write: it does not move the conversation in lists, and the
   * permissions of writers stay valid.
   */
  isQuiet?: boolean;
}

/** A change to append to the stream of an account, and the subscriptions that begin with it. */
interface AccountChange {
  account: string;
  events: readonly ChatEvent[];
  subscriptions?: readonly Subscription[];
}

export type NewChange = ConversationChange | AccountChange;

/**
 * Appends changes within the transaction that makes them. Each account that joins a conversation also gets an entry in
 * its own stream: every instance that the account is connected to then subscribes it.
 *
 * @param changes at most one of each conversation and account
 * @returns the entries, first those of accounts: an account that joins must be subscribed when the entry of the
 * conversation is delivered
 */
export async function appendChanges(client: ClientBase, changes: readonly NewChange[]): Promise<ChangeEntry[]> {
  const ofConversations = changes.filter(isOfConversation);
  // Locks conversations before accounts, each in sorted order, so that transactions cannot deadlock.
  const seqs = await takeSeqsOfConversations(client, ofConversations);
  const entries = ofConversations.map(({ conversationId, events, joins = [], leaves = [] }) => {
    return { stream: conversationId, seq: seqOf(seqs, conversationId), events, joins, leaves, subscriptions: [] };
  });
  return appendEntries(client, entries, changes.filter(isOfAccount));
}

/**
 * Takes the next sequence number of a conversation, for an entry that `appendEntries` appends later in the same
 * transaction.
 */
export async function takeNextSeq(
  client: ClientBase,
  conversationId: string,
  { isQuiet = false }: Pick<ConversationChange, 'isQuiet'> = {},
): Promise<number> {
  return seqOf(await takeSeqsOfConversations(client, [{ conversationId, events: [], isQuiet }]), conversationId);
}

/**
 * Does the same as `appendChanges` for entries of conversations whose sequence numbers are taken already.
 *
 * @returns the entries in the order of `appendChanges`
 */
export async function appendEntries(
  client: ClientBase,
  ofConversations: readonly ChangeEntry[],
  changes: readonly AccountChange[] = [],
): Promise<ChangeEntry[]> {
  const entries = [...(await accountEntriesOf(client, ofConversations, changes)), ...ofConversations];
  if (entries.length > 0) {
    await insertEvents.execute(client, {
      streams: entries.map(({ stream }) => stream),
      seqs: entries.map(({ seq }) => seq),
      events: entries.map(({ events }) => JSON.stringify(events)),
      joins: entries.map(({ joins }) => JSON.stringify(joins)),
      leaves: entries.map(({ leaves }) => JSON.stringify(leaves)),
      subscriptions: entries.map(({ subscriptions }) => JSON.stringify(subscriptions)),
    });
    await storeHistoryChanges(client, ofConversations);
  }
  return entries;
}

/** Returns an entry for each account that has a change, or joins with an entry of a conversation. */
async function accountEntriesOf(
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
  const seqs = await takeSeqsOfAccounts(client, [...byAccount.keys()]);
  return Array.from(byAccount, ([account, { events, subscriptions }]) => {
    return { stream: account, seq: seqOf(seqs, account), events, joins: [], leaves: [], subscriptions };
  });
}

async function takeSeqsOfConversations(
  client: ClientBase,
  changes: readonly ConversationChange[],
): Promise<Map<string, number>> {
  if (changes.length === 0) return new Map();
  const rows = await nextSeqsOfConversations.query(client, {
    ids: changes.map(({ conversationId }) => conversationId).toSorted(),
    movedIds: changes.filter(movesConversation).map(({ conversationId }) => conversationId),
    quietIds: changes.filter(({ isQuiet }) => isQuiet === true).map(({ conversationId }) => conversationId),
  });
  return toSeqs(rows);
}

async function takeSeqsOfAccounts(client: ClientBase, accounts: readonly string[]): Promise<Map<string, number>> {
  if (accounts.length === 0) return new Map();
  return toSeqs(await nextSeqsOfAccounts.query(client, { accounts: accounts.toSorted() }));
}

function toSeqs(rows: readonly RowIn<typeof nextSeqsOfConversations>[]): Map<string, number> {
  return new Map(rows.map(({ stream, last_seq }) => [stream, Number(last_seq)]));
}

/** Returns the sequence number that a stream's change gets. */
function seqOf(seqs: ReadonlyMap<string, number>, stream: string): number {
  const seq = seqs.get(stream);
  if (seq === undefined) throw new Error('a change of a conversation that does not exist');
  return seq;
}

function movesConversation({ events, isQuiet }: ConversationChange): boolean {
  return isQuiet !== true && events.some(({ to }) => !isByName(to));
}

function isOfConversation(change: NewChange): change is ConversationChange {
  return 'conversationId' in change;
}

function isOfAccount(change: NewChange): change is AccountChange {
  return 'account' in change;
}
