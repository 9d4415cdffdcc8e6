import { setTimeout as delay } from 'node:timers/promises';
import { type ChatLimits } from '@waggle/contracts';
import { ConfigurationError, failureText, inTransaction, poolOf, requireMigrated, type RowIn } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { DataSource } from 'typeorm';
import { chatDatabase } from '../database';
import { AccountPairsLocked } from '../errors';
import { appendEntries, takeNextSeq } from '../log/append-changes';
import { type ChatEvent } from '../log/entry';
import { readConversation } from '../membership/conversation-rows';
import { LockedConversation } from '../membership/locked-conversation';
import { LockedPair } from '../relations/locked-pair';
import { dmOfPair, orderedPair } from '../relations/pair';
import { type AccountMapping } from './account-mapping';
import { ImportPlan, type PlannedConversation } from './import-plan';
import { type ImportRecord } from './import-record';
import { ImportReport } from './import-report';
import {
  appendImported,
  importedConversation,
  insertImportedMembers,
  insertImportedReactions,
  seqsOfMessages,
  showChannel,
  startConversation,
  tryLockImports,
} from './import.statements';
import { type StagedPost, StagedPosts } from './staged-posts';

/** Posts that are stored in one transaction: it takes some ten milliseconds. */
const batchSize = 500;

export interface ImportOptions {
  /** The other chat, and the name of its server if it is given. Messages of another source are others. */
  source: string;
  records: AsyncIterable<ImportRecord>;
  accounts: AccountMapping;
  emojis: ReadonlyMap<string, string>;
  limits: ChatLimits;
  isDryRun: boolean;
  /** Whether to import the rest if there are problems. */
  skipsProblems: boolean;
}

/**
 * Imports the conversations of another chat. It reads and checks the whole export before it writes anything. Running it
 * again continues an import that was interrupted, and adds posts of a newer export. If it fails after it has begun to
 * read, the report says why, and what was done until then.
 *
 * A conversation gets its members after its messages. So clients receive one event per conversation, and what was
 * written before counts as read. Until then a channel is stored as a group, which without members is visible to no
 * account.
 */
export async function importChats(url: string, options: ImportOptions): Promise<ImportReport> {
  // Its statements have no timeouts, and instances do not wait for its transactions.
  const staging = await new DataSource(chatDatabase({ url, poolSize: 1, isMigration: true })).initialize();
  try {
    await requireMigrated(staging, 'chat');
    const client = await poolOf(staging).connect();
    try {
      const staged = await StagedPosts.create(client);
      // Two imports would both append the posts that neither has found yet, in no order.
      if ((await tryLockImports.find(client, {}))?.locked !== true)
        throw new ConfigurationError(['DATABASE_URL: another import into this database is running']);
      return await importThrough(staged, url, options);
    } finally {
      // Closes the connection, and with it the temporary table and the lock.
      client.release(true);
    }
  } finally {
    await staging.destroy();
  }
}

/** The file and line that is read or written. */
interface Progress {
  place: string | undefined;
}

async function importThrough(staged: StagedPosts, url: string, options: ImportOptions): Promise<ImportReport> {
  const report = new ImportReport(options.isDryRun);
  const progress: Progress = { place: undefined };
  try {
    await readAndWrite(staged, url, options, report, progress);
  } catch (error) {
    report.failure = { at: progress.place, reason: failureText(error) };
  }
  return report;
}

async function readAndWrite(
  staged: StagedPosts,
  url: string,
  options: ImportOptions,
  report: ImportReport,
  progress: Progress,
): Promise<void> {
  const conversations = await stage(staged, options, report, progress);
  const hasUnmapped = Object.keys(report.unmapped).length > 0 && options.accounts.fallback === undefined;
  const isRejected = hasUnmapped || (report.problems > 0 && !options.skipsProblems);
  if (isRejected) return;
  const dataSource = await new DataSource(chatDatabase({ url, poolSize: 1 })).initialize();
  try {
    const Writer = options.isDryRun ? ConversationPreview : ConversationImport;
    const writer = new Writer(poolOf(dataSource), staged, report, progress);
    for (const conversation of conversations) await writer.write(conversation);
    report.isComplete = true;
  } finally {
    await dataSource.destroy();
  }
}

async function stage(
  staged: StagedPosts,
  { source, records, accounts, emojis, limits }: ImportOptions,
  report: ImportReport,
  progress: Progress,
): Promise<PlannedConversation[]> {
  const plan = new ImportPlan(source, accounts, emojis, limits, report);
  let posts: StagedPost[] = [];
  for await (const record of records) {
    progress.place = record.place;
    const post = plan.add(record);
    if (post !== undefined) posts.push(post);
    if (posts.length < batchSize) continue;
    await staged.add(posts);
    posts = [];
  }
  await staged.add(posts);
  await staged.sort();
  return plan.finish();
}

/** A message to append, with its place in the conversation. */
interface NumberedMessage extends StagedPost {
  seq: number;
  sentAt: Date;
  replyToSeq: number | null;
}

/** What became of a batch of posts. */
interface SortedBatch {
  added: readonly NumberedMessage[];
  alreadyImported: number;
  movedByMs: number;
  /** Posts that are older than what is stored. */
  late: readonly StagedPost[];
  /** The last post of the batch that is stored then. */
  previousId: string | undefined;
}

/** What an import and its preview share. */
class ConversationWork {
  constructor(
    protected readonly pool: Pool,
    protected readonly staged: StagedPosts,
    protected readonly report: ImportReport,
    protected readonly progress: Progress,
  ) {}

  /** Counts a batch when it is committed, or previewed. */
  protected count({ added, alreadyImported, movedByMs, late }: SortedBatch): void {
    const { counts } = this.report;
    counts.imported += added.length;
    counts.alreadyImported += alreadyImported;
    counts.movedByMs += movedByMs;
    for (const { place } of late) this.report.addProblem(place, 'its conversation has later messages already');
    for (const { reply_to, replyToSeq, edited, reactions } of added) {
      counts.reactions += reactions.length;
      if (edited !== null) counts.edited += 1;
      if (replyToSeq !== null) counts.replies += 1;
      else if (reply_to !== null) counts.repliesWithoutRoot += 1;
    }
  }
}

/** Writes conversations, each in many transactions. */
class ConversationImport extends ConversationWork {
  async write(planned: PlannedConversation): Promise<void> {
    this.progress.place = planned.place;
    const conversation = { ...planned, id: await this.start(planned) };
    let previousId: string | undefined;
    for await (const posts of this.staged.batchesOf(conversation.number, batchSize)) {
      this.progress.place = posts[0]?.place;
      const batch = await inTransaction(this.pool, (client) => append(client, conversation, posts, previousId));
      this.count(batch);
      previousId = batch.previousId;
    }
    await retryWhilePairsAreLocked(() => inTransaction(this.pool, (client) => addMembers(client, conversation)));
  }

  /** Stores the conversation without members, unless it exists. @returns its id: of a dm, the one that the pair has */
  private async start(planned: PlannedConversation): Promise<string> {
    const { id, type, creator, name, members, firstAt } = planned;
    const pair = type === 'dm' ? pairOf(members) : undefined;
    const [first, second] = pair ?? [null, null];
    const at = firstAt === undefined ? new Date() : new Date(firstAt);
    const hiddenType = type === 'channel' ? 'group' : type;
    await startConversation.execute(this.pool, { id, type: hiddenType, creator, name, first, second, at });
    return (await findStored(this.pool, planned)).id;
  }
}

/** Counts what an import of conversations would do, and writes nothing. */
class ConversationPreview extends ConversationWork {
  async write(planned: PlannedConversation): Promise<void> {
    this.progress.place = planned.place;
    const { id: conversationId, state } = await findStored(this.pool, planned);
    let end: End = state === undefined ? { seq: 0, atMs: -Infinity, id: null } : endOf(state);
    let previousId: string | undefined;
    for await (const posts of this.staged.batchesOf(planned.number, batchSize)) {
      this.progress.place = posts[0]?.place;
      const ids = idsIn(posts);
      const found = await seqsOfMessages.query(this.pool, { conversationId, ids });
      const seqs = new Map(found.map(({ id, seq }) => [id, Number(seq)]));
      for (const { id, seq } of await this.staged.findPreviewed(planned.number, ids)) seqs.set(id, seq);
      const batch = sortBatch(posts, end, seqs, previousId);
      await this.staged.addPreviewed(planned.number, batch.added);
      this.count(batch);
      const last = batch.added.at(-1);
      if (last !== undefined) end = { seq: last.seq, atMs: last.sentAt.getTime(), id: last.id };
      previousId = batch.previousId;
    }
  }
}

/**
 * Finds the conversation of an earlier import, or the dm that the pair has.
 * @returns its id, and the planned one if there is none
 * @throws ConfigurationError if its messages would go to others than these members
 */
async function findStored(
  pool: Pool,
  { id, type, members }: PlannedConversation,
): Promise<{ id: string; state: RowIn<typeof importedConversation> | undefined }> {
  const pair = type === 'dm' ? pairOf(members) : undefined;
  const found = pair && (await dmOfPair.find(pool, { first: pair[0], second: pair[1] }));
  const state = await importedConversation.find(pool, { id: found?.id ?? id });
  if (state !== undefined && ((state.type === 'dm') !== (type === 'dm') || (pair !== undefined && found === undefined)))
    throw new ConfigurationError([
      `an earlier import used other accounts for the direct conversation of ${[...members.keys()].join(', ')}`,
    ]);
  return { id: found?.id ?? id, state };
}

/**
 * Appends those posts of a batch that are not stored yet.
 * @param previousId the last message of the batch before
 */
async function append(
  client: ClientBase,
  { id: conversationId, type, members }: PlannedConversation,
  posts: readonly StagedPost[],
  previousId: string | undefined,
): Promise<SortedBatch> {
  await LockedConversation.lock(client, conversationId, []);
  const state = await importedConversation.find(client, { id: conversationId });
  if (state === undefined) throw new Error('a conversation of the import does not exist');
  const found = await seqsOfMessages.query(client, { conversationId, ids: idsIn(posts) });
  const seqs = new Map(found.map(({ id, seq }) => [id, Number(seq)]));
  const batch = sortBatch(posts, endOf(state), seqs, previousId);
  if (batch.added.length > 0)
    await store(client, conversationId, batch.added, type === 'dm' ? pairOf(members) : undefined);
  return batch;
}

/** The last message of a conversation. */
interface End {
  seq: number;
  atMs: number;
  id: string | null;
}

function endOf(state: RowIn<typeof importedConversation>): End {
  return { seq: Number(state.last_seq), atMs: state.last_message_at?.getTime() ?? -Infinity, id: state.last_id };
}

/** Returns the ids of posts, and of the posts that they reply to. */
function idsIn(posts: readonly StagedPost[]): string[] {
  return [...new Set(posts.flatMap(({ id, reply_to }) => (reply_to === null ? [id] : [id, reply_to])))];
}

/**
 * Numbers those posts that are not stored yet.
 * @param end of the conversation
 * @param seqs the sequence numbers of messages that are stored, by id; gets the ones of added messages
 * @param previousId the last message of the batch before
 */
function sortBatch(
  posts: readonly StagedPost[],
  end: End,
  seqs: Map<string, number>,
  previousId: string | undefined,
): SortedBatch {
  let { seq: lastSeq, atMs: lastAt, id: lastId } = end;
  let [alreadyImported, movedByMs] = [0, 0];
  const added: NumberedMessage[] = [];
  const late: StagedPost[] = [];
  for (const post of posts) {
    if (seqs.has(post.id)) {
      alreadyImported += 1;
      previousId = post.id;
      continue;
    }
    // Times increase with sequence numbers. Only messages of the same import may be moved, by milliseconds.
    if (post.at <= lastAt && previousId !== lastId) {
      late.push(post);
      continue;
    }
    if (post.at <= lastAt) movedByMs += 1;
    lastAt = Math.max(post.at, lastAt + 1);
    lastSeq += 1;
    const replyToSeq = (post.reply_to !== null && seqs.get(post.reply_to)) || null;
    added.push({ ...post, seq: lastSeq, sentAt: new Date(lastAt), replyToSeq });
    seqs.set(post.id, lastSeq);
    lastId = previousId = post.id;
  }
  return { added, alreadyImported, movedByMs, late, previousId };
}

/** @param pair of a dm */
async function store(
  client: ClientBase,
  conversationId: string,
  messages: readonly NumberedMessage[],
  pair: readonly [string, string] | undefined,
): Promise<void> {
  const last = messages.at(-1);
  if (last === undefined) return;
  await appendImported.execute(client, {
    conversationId,
    lastSeq: String(last.seq),
    lastMessageAt: last.sentAt,
    seqs: messages.map(({ seq }) => String(seq)),
    ids: messages.map(({ id }) => id),
    senders: messages.map(({ sender }) => sender),
    recipients: messages.map(({ sender }) => (pair === undefined ? null : sender === pair[0] ? pair[1] : pair[0])),
    contents: messages.map(({ content }) => content),
    times: messages.map(({ sentAt }) => sentAt),
    replyToSeqs: messages.map(({ replyToSeq }) => (replyToSeq === null ? null : String(replyToSeq))),
    editTimes: messages.map(({ edited }) => (edited === null ? null : new Date(edited))),
  });
  const reactions = messages.flatMap(({ seq, reactions: each }) => each.map((reaction) => ({ seq, ...reaction })));
  if (reactions.length === 0) return;
  await insertImportedReactions.execute(client, {
    conversationId,
    seqs: reactions.map(({ seq }) => String(seq)),
    emojis: reactions.map(({ emoji }) => emoji),
    accounts: reactions.map(({ account }) => account),
    times: reactions.map(({ at }) => new Date(at)),
  });
}

/** Shows the conversation to its members, unless an earlier import did. */
async function addMembers(client: ClientBase, conversation: PlannedConversation): Promise<void> {
  const { id, type, creator, members } = conversation;
  // The pair is locked before the conversation, as everywhere.
  const pair = type === 'dm' ? await LockedPair.lock(client, ...pairOf(members)) : undefined;
  await LockedConversation.lock(client, id, []);
  const state = await importedConversation.find(client, { id });
  if (state === undefined || state.has_members) return;
  if (type === 'channel') await showChannel.execute(client, { id });
  if (members.size === 0) return;
  await pair?.updateDmBlocked();
  const accounts = [...members.keys()];
  const areModerators = Array.from(members.values(), ({ isModerator }) => isModerator);
  await insertImportedMembers.execute(client, { conversationId: id, accounts, areModerators });
  const seq = await takeNextSeq(client, id);
  const events: ChatEvent[] = [];
  // An event about a channel lists only its creator and one account.
  for (const to of type === 'channel' ? accounts.map((account) => [account]) : [accounts]) {
    const payload = await readConversation(client, id, to[0] ?? creator);
    events.push({ type: 'conversation-created', payload, to });
  }
  await appendEntries(client, [{ stream: id, seq, events, joins: accounts, leaves: [], subscriptions: [] }]);
}

function pairOf(members: PlannedConversation['members']): [string, string] {
  const [one = '', other = ''] = members.keys();
  return orderedPair(one, other);
}

async function retryWhilePairsAreLocked<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AccountPairsLocked)) throw error;
      await delay(100);
    }
  }
}
