import { setTimeout as delay } from 'node:timers/promises';
import { type ChatLimits } from '@waggle/contracts';
import { ConfigurationError, inTransaction, poolOf, requireMigrated } from '@waggle/service';
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
 * again continues an import that was interrupted, and adds posts of a newer export.
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
      return await importThrough(await StagedPosts.create(client), url, options);
    } finally {
      // Closes the connection, and with it the temporary table.
      client.release(true);
    }
  } finally {
    await staging.destroy();
  }
}

async function importThrough(staged: StagedPosts, url: string, options: ImportOptions): Promise<ImportReport> {
  const report = new ImportReport();
  const conversations = await stage(staged, options, report);
  const hasUnmapped = Object.keys(report.unmapped).length > 0 && options.accounts.fallback === undefined;
  const isRejected = hasUnmapped || (report.problems > 0 && !options.skipsProblems);
  if (isRejected || options.isDryRun) {
    report.isComplete = !isRejected;
    return report;
  }
  const dataSource = await new DataSource(chatDatabase({ url, poolSize: 1 })).initialize();
  try {
    const writer = new ConversationImport(poolOf(dataSource), staged, report);
    for (const conversation of conversations) await writer.write(conversation);
    report.isComplete = true;
    return report;
  } finally {
    await dataSource.destroy();
  }
}

async function stage(
  staged: StagedPosts,
  { source, records, accounts, emojis, limits }: ImportOptions,
  report: ImportReport,
): Promise<PlannedConversation[]> {
  const plan = new ImportPlan(source, accounts, emojis, limits, report);
  let posts: StagedPost[] = [];
  for await (const record of records) {
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

/** Writes conversations, each in many transactions. */
class ConversationImport {
  constructor(
    private readonly pool: Pool,
    private readonly staged: StagedPosts,
    private readonly report: ImportReport,
  ) {}

  async write(planned: PlannedConversation): Promise<void> {
    const conversation = { ...planned, id: await this.start(planned) };
    let previousId: string | undefined;
    for await (const posts of this.staged.batchesOf(conversation.number, batchSize)) {
      previousId = await inTransaction(this.pool, (client) => this.append(client, conversation, posts, previousId));
    }
    await retryWhilePairsAreLocked(() => inTransaction(this.pool, (client) => addMembers(client, conversation)));
  }

  /** Stores the conversation without members, unless it exists. @returns its id: of a dm, the one that the pair has */
  private async start({ id, type, creator, name, members, firstAt }: PlannedConversation): Promise<string> {
    const pair = type === 'dm' ? pairOf(members) : undefined;
    const [first, second] = pair ?? [null, null];
    const at = firstAt === undefined ? new Date() : new Date(firstAt);
    const hiddenType = type === 'channel' ? 'group' : type;
    await startConversation.execute(this.pool, { id, type: hiddenType, creator, name, first, second, at });
    const found = pair && (await dmOfPair.find(this.pool, { first: pair[0], second: pair[1] }));
    const stored = await importedConversation.find(this.pool, { id: found?.id ?? id });
    // Otherwise its messages would go to others than these members.
    if ((stored?.type === 'dm') !== (type === 'dm') || (pair !== undefined && found === undefined))
      throw new ConfigurationError([
        `an earlier import used other accounts for the direct conversation of ${[...members.keys()].join(', ')}`,
      ]);
    return found?.id ?? id;
  }

  /**
   * Appends those posts of a batch that are not stored yet.
   * @param previousId the last message of the batch before
   * @returns the last message of this batch
   */
  private async append(
    client: ClientBase,
    { id: conversationId, type, members }: PlannedConversation,
    posts: readonly StagedPost[],
    previousId: string | undefined,
  ): Promise<string | undefined> {
    await LockedConversation.lock(client, conversationId, []);
    const state = await importedConversation.find(client, { id: conversationId });
    if (state === undefined) throw new Error('a conversation of the import does not exist');
    let lastSeq = Number(state.last_seq);
    let lastAt = state.last_message_at?.getTime() ?? -Infinity;
    let lastId = state.last_id;
    const ids = [...new Set(posts.flatMap(({ id, reply_to }) => (reply_to === null ? [id] : [id, reply_to])))];
    const found = await seqsOfMessages.query(client, { conversationId, ids });
    const seqs = new Map(found.map(({ id, seq }) => [id, Number(seq)]));
    const added: NumberedMessage[] = [];
    for (const post of posts) {
      if (seqs.has(post.id)) {
        this.report.counts.alreadyImported += 1;
        previousId = post.id;
        continue;
      }
      // Times increase with sequence numbers. Only messages of the same import may be moved, by milliseconds.
      if (post.at <= lastAt && previousId !== lastId) {
        this.report.addProblem(post.place, 'its conversation has later messages already');
        continue;
      }
      if (post.at <= lastAt) this.report.counts.movedByMs += 1;
      lastAt = Math.max(post.at, lastAt + 1);
      lastSeq += 1;
      const replyToSeq = (post.reply_to !== null && seqs.get(post.reply_to)) || null;
      added.push({ ...post, seq: lastSeq, sentAt: new Date(lastAt), replyToSeq });
      seqs.set(post.id, lastSeq);
      lastId = previousId = post.id;
    }
    if (added.length > 0) await store(client, conversationId, added, type === 'dm' ? pairOf(members) : undefined);
    this.count(added);
    return previousId;
  }

  private count(added: readonly NumberedMessage[]): void {
    this.report.counts.imported += added.length;
    for (const { reply_to, replyToSeq, edited, reactions } of added) {
      this.report.counts.reactions += reactions.length;
      if (edited !== null) this.report.counts.edited += 1;
      if (replyToSeq !== null) this.report.counts.replies += 1;
      else if (reply_to !== null) this.report.counts.repliesWithoutRoot += 1;
    }
  }
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
