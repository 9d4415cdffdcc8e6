import { createHash } from 'node:crypto';
import { type ChatLimits, clientFrames, maxReactionKinds } from '@waggle/contracts';
import { type AccountMapping } from './account-mapping';
import { type ForeignPost, type ImportRecord } from './import-record';
import { type ImportReport } from './import-report';
import { type StagedPost } from './staged-posts';

type Role = Extract<ImportRecord, { type: 'member' }>['role'];

/** A conversation to import. */
export interface PlannedConversation {
  id: string;
  type: 'channel' | 'group' | 'dm';
  name: string | null;
  creator: string;
  /** The members in the order of the export; the creator is one unless it is the fallback account. */
  members: ReadonlyMap<string, { isModerator: boolean }>;
  /** The time of its first post in milliseconds. */
  firstAt: number | undefined;
  number: number;
  /** Its line in the export. */
  place: string;
}

/** A conversation of the export. */
interface FoundConversation {
  number: number;
  place: string;
  kind: 'channel' | 'group' | 'direct';
  name: string | undefined;
  /** The accounts of the members. */
  members: Map<string, Role>;
  /** Whether it also has members or authors without an account of these. */
  hasOthers: boolean;
  firstAt: number | undefined;
}

/** Identifiers that are equal in each import. Longer than account names, which streams must not have. */
function identifierOf(source: string, ...identity: string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([source, ...identity]))
    .digest('base64url')
    .slice(0, 26);
}

/** Checks the records of an export, and turns names into identifiers, accounts and emoji. */
export class ImportPlan {
  private readonly conversations = new Map<string, FoundConversation>();
  private readonly text;
  private readonly name;
  /** The pairs of accounts that have a dm. */
  private readonly pairs = new Set<string>();
  private posts = 0;

  /**
   * @param source the other chat, such as `mattermost`, and the name of the server if it is given
   * @param emojis by the name that the other chat gives them
   */
  constructor(
    private readonly source: string,
    private readonly accounts: AccountMapping,
    private readonly emojis: ReadonlyMap<string, string>,
    private readonly limits: ChatLimits,
    private readonly report: ImportReport,
  ) {
    const frames = clientFrames(limits);
    this.text = frames['edit-message'].shape.message;
    this.name = frames['rename-conversation'].shape.name;
  }

  /** @returns the post in the record, if there is one that can be imported */
  add(record: ImportRecord): StagedPost | undefined {
    const { place } = record;
    if (record.type === 'post') return this.addPost(record.post, place);
    if (record.type === 'conversation') this.addConversation(record);
    else if (record.type === 'member') this.addMember(record);
    else if (record.type === 'ignored') this.report.ignore(record.what);
    else this.report.addProblem(place, record.reason);
    return undefined;
  }

  /** Returns the conversations that can be imported. Call it after the last record. */
  finish(): PlannedConversation[] {
    return Array.from(this.conversations).flatMap(([key, found]) => this.plan(key, found) ?? []);
  }

  private addConversation({ key, kind, name, place }: Extract<ImportRecord, { type: 'conversation' }>): void {
    if (this.conversations.has(key)) return;
    const parsed = name === undefined ? undefined : this.name.safeParse(name);
    if (parsed?.success === false) this.report.addProblem(place, `name: ${parsed.error.issues[0]?.message}`);
    const number = this.conversations.size;
    const found = { number, place, kind, name: parsed?.data, members: new Map(), hasOthers: false };
    this.conversations.set(key, { ...found, firstAt: undefined });
  }

  private addMember({ conversation, user, role }: Extract<ImportRecord, { type: 'member' }>): void {
    const found = this.conversations.get(conversation);
    if (found === undefined) {
      this.report.ignore('memberships of unknown conversations');
      return;
    }
    const account = this.accounts.find(user);
    if (account !== undefined) {
      const known = found.members.get(account);
      if (known === undefined || (known === 'member' && role !== 'member')) found.members.set(account, role);
      return;
    }
    found.hasOthers = true;
    // The export may repeat the members of a direct conversation before each post.
    if (found.kind !== 'direct') this.report.addUnmapped(user);
  }

  private addPost(post: ForeignPost, place: string): StagedPost | undefined {
    this.report.counts.posts += 1;
    const found = this.conversations.get(post.conversation);
    if (found === undefined) {
      this.report.addProblem(place, `the conversation ${post.conversation} is not in the export`);
      return undefined;
    }
    this.report.ignore('files', post.files.length);
    const account = this.accounts.find(post.author);
    if (account === undefined) this.report.addUnmapped(post.author);
    const sender = account ?? this.accounts.fallback;
    // Without a fallback the import stops because of the unmapped user.
    if (sender === undefined) return undefined;
    const written = post.text.trim() === '' ? post.files.join('\n') : post.text;
    const parsed = this.text.safeParse(account === undefined ? `${post.author}: ${written}` : written);
    if (!parsed.success) {
      this.report.addProblem(place, `the text ${parsed.error.issues[0]?.message}`);
      return undefined;
    }
    if (account === undefined) this.report.counts.byFallback += 1;
    found.firstAt = Math.min(found.firstAt ?? Infinity, post.sentAtMs);
    if (!found.members.has(sender)) found.hasOthers = true;
    this.posts += 1;
    return {
      conversation: found.number,
      at: post.sentAtMs,
      n: this.posts,
      id: identifierOf(this.source, post.identity),
      reply_to: post.repliesTo === undefined ? null : identifierOf(this.source, post.repliesTo),
      sender,
      content: parsed.data,
      edited: post.editedAtMs ?? null,
      reactions: this.reactionsOf(post),
      place,
    };
  }

  private reactionsOf({ reactions, sentAtMs }: ForeignPost): StagedPost['reactions'] {
    const stored = new Map<string, StagedPost['reactions'][number]>();
    const kinds = new Set<string>();
    for (const { user, name, atMs = sentAtMs } of reactions) {
      const account = this.accounts.find(user);
      const emoji = this.emojis.get(name.replaceAll(':', ''));
      if (emoji === undefined) this.report.ignore('reactions with an emoji that Unicode lacks');
      else if (account === undefined) this.report.ignore('reactions of users without an account');
      else if (!kinds.has(emoji) && kinds.size === maxReactionKinds) this.report.ignore('reactions above the limit');
      else {
        kinds.add(emoji);
        stored.set(`${account} ${emoji}`, { emoji, account, at: atMs });
      }
    }
    return [...stored.values()];
  }

  private plan(key: string, found: FoundConversation): PlannedConversation | undefined {
    const { number, place, kind, name = null, members, hasOthers, firstAt } = found;
    const accounts = [...members.keys()];
    // A direct conversation with a user without an account has only the others as members.
    const type = kind !== 'direct' ? kind : accounts.length === 2 && !hasOthers ? 'dm' : 'group';
    if (kind === 'direct' && firstAt === undefined) {
      this.report.ignore('direct conversations without a message');
      return undefined;
    }
    const pair = accounts.toSorted().join(' ');
    if (type === 'dm' && this.pairs.has(pair)) {
      this.report.addProblem(place, `another direct conversation has the accounts ${pair}`);
      return undefined;
    }
    if (type === 'dm') this.pairs.add(pair);
    const appointed = (role: Role) => accounts.find((account) => members.get(account) === role);
    const fallback = type === 'channel' ? this.accounts.fallback : undefined;
    const creator = appointed('creator') ?? appointed('moderator') ?? accounts[0] ?? fallback;
    if (creator === undefined) {
      this.report.addProblem(place, `no member of ${key} has an account`);
      return undefined;
    }
    if (type === 'group' && accounts.length > this.limits.groupMembers) {
      this.report.addProblem(
        place,
        `${key} has ${accounts.length} members, a group at most ${this.limits.groupMembers}`,
      );
      return undefined;
    }
    const roles = Array.from(members, ([account, role]) => {
      return [account, { isModerator: type !== 'dm' && role === 'moderator' && account !== creator }] as const;
    });
    this.report.counts[`${type}s`] += 1;
    const id = identifierOf(this.source, 'conversation', key);
    return { id, type, name, creator, members: new Map(roles), firstAt, number, place };
  }
}
