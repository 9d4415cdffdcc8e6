import { type Random } from '@waggle/testing';
import { type LibraryClient } from './clients/library-client';
import { type Conversation } from './conversations';
import { type SendLog } from './send-log';

/** The share of messages of each kind of conversation. */
const shares: readonly { kind: Conversation['kind']; share: number }[] = [
  { kind: 'dm', share: 0.6 },
  { kind: 'group', share: 0.3 },
  { kind: 'channel', share: 0.1 },
];

const tickMs = 20;
/** Limits the burst after this process was busy. */
const maxPerTick = 20;
/** A client with more pending messages does not write. */
const maxPending = 10;

const newGroupEveryMs = 3_000;
const newGroupMembers = 4;

/** The shares of messages that reply to the last one, and that mention a member. */
const replyShare = 1 / 8;
const mentionShare = 1 / 8;

/** In characters. */
const maxTextLength = 200;
/** Close to the default limit: 3,900 characters of three bytes each. */
const largeText = '界'.repeat(3_900);
/** A flood ends after this time, however few messages were sent on a busy machine. */
const maxFloodMs = 20_000;

export interface LoadOptions {
  clients: readonly LibraryClient[];
  conversations: Conversation[];
  sendLog: SendLog;
  /** Messages per second of all clients together. */
  perSecond: number;
  random: Random;
}

/** Writes messages continuously, and creates a group every few seconds. */
export class Load {
  private timer: NodeJS.Timeout | undefined;
  private sinceMs = 0;
  private due = 0;
  private groupDueMs = 0;
  /** Messages that were not sent because their writers had too many pending. */
  skipped = 0;

  constructor(private readonly options: LoadOptions) {}

  start(): void {
    this.sinceMs = performance.now();
    this.groupDueMs = this.sinceMs + newGroupEveryMs;
    this.timer = setInterval(() => {
      this.tick();
    }, tickMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Writes only to these conversations from now on, because the database lost the others. */
  restrictTo(ids: ReadonlySet<string>): void {
    const { conversations } = this.options;
    conversations.splice(0, conversations.length, ...conversations.filter(({ id }) => ids.has(id)));
  }

  /** Sends large messages to one conversation, one at a time from each writer; resolves when all have a result. */
  async flood({ id }: Conversation, writers: readonly LibraryClient[], count: number): Promise<void> {
    const endMs = performance.now() + maxFloodMs;
    let remaining = count;
    const writeSome = async (writer: LibraryClient): Promise<void> => {
      while (remaining > 0 && performance.now() < endMs) {
        remaining -= 1;
        await this.write(writer, id, largeText);
      }
    };
    await Promise.all(writers.map(writeSome));
  }

  private tick(): void {
    const { perSecond } = this.options;
    const nowMs = performance.now();
    const dueByNow = Math.floor(((nowMs - this.sinceMs) / 1_000) * perSecond);
    const count = Math.min(dueByNow - this.due, maxPerTick);
    this.due = dueByNow;
    for (let sent = 0; sent < count; sent += 1) this.writeSomewhere();
    if (nowMs < this.groupDueMs) return;
    this.groupDueMs = nowMs + newGroupEveryMs;
    void this.makeGroup();
  }

  private writeSomewhere(): void {
    const { conversations, random } = this.options;
    const kind = this.pickKind();
    const { id, writers } = random.pick(conversations.filter((conversation) => conversation.kind === kind));
    const writer = random.pick(writers);
    const mention = random.chance(mentionShare) ? `@${random.pick(writers).account} ` : '';
    const text = mention + 'x'.repeat(Math.floor(random.between(1, maxTextLength)));
    const replyTo = random.chance(replyShare) ? writer.lastReceived(id) : undefined;
    if (writer.pending >= maxPending) this.skipped += 1;
    else void this.write(writer, id, text, replyTo);
  }

  private pickKind(): Conversation['kind'] {
    let remaining = this.options.random.next();
    for (const { kind, share } of shares) {
      if (remaining < share) return kind;
      remaining -= share;
    }
    return 'dm';
  }

  private async write(writer: LibraryClient, conversationId: string, text: string, replyTo?: string): Promise<void> {
    await this.options.sendLog.send(writer.account, conversationId, (tag) =>
      writer.send(conversationId, `${tag} ${text}`, replyTo),
    );
  }

  private async makeGroup(): Promise<void> {
    const { clients, conversations, sendLog, random } = this.options;
    const members = random.sample(clients, newGroupMembers);
    const [creator, ...others] = members;
    if (creator === undefined || creator.pending >= maxPending) return;
    const accounts = others.map(({ account }) => account);
    const stored = await sendLog.send(creator.account, null, async (tag) => {
      return (await creator.createGroup(accounts, tag)).message;
    });
    if (stored === undefined) return;
    conversations.push({ id: stored.conversation_id, kind: 'group', writers: members, subscribers: members });
  }
}
