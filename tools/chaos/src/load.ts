import { type Random } from '@waggle/testing';
import { type LibraryClient } from './clients/library-client';
import { type Conversation } from './conversations';
import { type SendLog } from './send-log';

/** How the messages are distributed among the kinds of conversations; the shares add up to 1. */
const kindShares: readonly { kind: Conversation['kind']; share: number }[] = [
  { kind: 'dm', share: 0.6 },
  { kind: 'group', share: 0.3 },
  { kind: 'channel', share: 0.1 },
];

const tickMs = 20;
/** Limits the burst after this process was busy: further messages that became due meanwhile are skipped. */
const maxPerTick = 20;
/** A client with this many pending messages writes nothing. */
const maxPending = 10;

const newGroupIntervalMs = 3_000;
/** Including the creator. */
const newGroupSize = 4;

/** The share of messages that reply to the last message which their writer received. */
const replyShare = 1 / 8;
/** The share of messages that mention a writer of the conversation. */
const mentionShare = 1 / 8;

/** In characters, without the tag and the mention. */
const maxTextLength = 200;
/** 3,900 characters of three bytes each: close to the default limit of the chat. */
const largeText = '界'.repeat(3_900);
/** A flood ends after this time, even if a busy machine has sent only a part of it. */
const maxFloodMs = 20_000;

export interface LoadOptions {
  clients: readonly LibraryClient[];
  conversations: readonly Conversation[];
  sendLog: SendLog;
  /** Messages per second of all clients together. */
  perSecond: number;
  random: Random;
}

/** What was due and not sent, by reason. */
export interface SkippedCounts {
  /** Messages whose writers had too many pending ones. */
  pendingWriter: number;
  /** Messages beyond the burst that is allowed after this process was busy. */
  busyProcess: number;
  /** Messages to a kind of conversation that does not exist any more. */
  noConversation: number;
  /** Groups whose creators had too many pending messages. */
  groups: number;
}

/** Writes messages continuously, and creates a group every few seconds. */
export class Load {
  readonly skipped: SkippedCounts = { pendingWriter: 0, busyProcess: 0, noConversation: 0, groups: 0 };
  /** Errors that are no results of messages. */
  readonly failures: string[] = [];
  private writable: Conversation[];
  private timer: NodeJS.Timeout | undefined;
  private startedAtMs = 0;
  /** Messages that were due at the last tick, since the start. */
  private dueCount = 0;
  private nextGroupAtMs = 0;

  constructor(private readonly options: LoadOptions) {
    this.writable = [...options.conversations];
  }

  /** The conversations that messages go to: the given ones and new groups, without what the database lost. */
  get conversations(): readonly Conversation[] {
    return this.writable;
  }

  /** @throws Error if it has been started before */
  start(): void {
    if (this.timer !== undefined) throw new Error('the load has been started before');
    this.startedAtMs = performance.now();
    this.nextGroupAtMs = this.startedAtMs + newGroupIntervalMs;
    this.timer = setInterval(() => {
      this.tick();
    }, tickMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Writes only to these conversations from now on, because the database lost the others. */
  restrictTo(ids: ReadonlySet<string>): void {
    this.writable = this.writable.filter(({ id }) => ids.has(id));
  }

  /**
   * Sends large messages to one conversation, one at a time from each writer.
   *
   * @param count of all writers together; fewer if the flood takes too long
   */
  async flood({ id }: Conversation, writers: readonly LibraryClient[], count: number): Promise<void> {
    const endMs = performance.now() + maxFloodMs;
    let remaining = count;
    const writeRemaining = async (writer: LibraryClient): Promise<void> => {
      while (remaining > 0 && performance.now() < endMs) {
        remaining -= 1;
        await this.write(writer, id, largeText);
      }
    };
    await Promise.all(writers.map(writeRemaining));
  }

  private tick(): void {
    const nowMs = performance.now();
    const dueByNow = Math.floor(((nowMs - this.startedAtMs) / 1_000) * this.options.perSecond);
    const due = dueByNow - this.dueCount;
    this.dueCount = dueByNow;
    const count = Math.min(due, maxPerTick);
    this.skipped.busyProcess += due - count;
    for (let n = 0; n < count; n += 1) this.writeSomewhere();
    if (nowMs < this.nextGroupAtMs) return;
    this.nextGroupAtMs = nowMs + newGroupIntervalMs;
    this.createGroup();
  }

  private writeSomewhere(): void {
    const { random } = this.options;
    const kind = this.pickKind();
    const candidates = this.writable.filter((conversation) => conversation.kind === kind);
    if (candidates.length === 0) {
      this.skipped.noConversation += 1;
      return;
    }
    const { id, writers } = random.pick(candidates);
    const writer = random.pick(writers);
    const mention = random.chance(mentionShare) ? `@${random.pick(writers).account} ` : '';
    const text = mention + 'x'.repeat(1 + random.below(maxTextLength));
    const replyTo = random.chance(replyShare) ? writer.lastReceived(id) : undefined;
    if (writer.pending >= maxPending) this.skipped.pendingWriter += 1;
    else this.runInBackground(this.write(writer, id, text, replyTo));
  }

  private pickKind(): Conversation['kind'] {
    let remaining = this.options.random.next();
    for (const { kind, share } of kindShares) {
      if (remaining < share) return kind;
      remaining -= share;
    }
    // Rounding may have left a remainder.
    return 'dm';
  }

  private createGroup(): void {
    const members = this.options.random.sample(this.options.clients, newGroupSize);
    const [creator, ...others] = members;
    if (creator === undefined || creator.pending >= maxPending) this.skipped.groups += 1;
    else this.runInBackground(this.createGroupOf(creator, others));
  }

  private async createGroupOf(creator: LibraryClient, others: readonly LibraryClient[]): Promise<void> {
    const accounts = others.map(({ account }) => account);
    const stored = await this.options.sendLog.send(creator.account, null, async (tag) => {
      return (await creator.createGroup(accounts, tag)).message;
    });
    if (stored === undefined) return;
    const members = [creator, ...others];
    this.writable.push({ id: stored.conversation_id, kind: 'group', writers: members, subscribers: members });
  }

  private async write(writer: LibraryClient, conversationId: string, text: string, replyTo?: string): Promise<void> {
    await this.options.sendLog.send(writer.account, conversationId, (tag) =>
      writer.send(conversationId, `${tag} ${text}`, replyTo),
    );
  }

  private runInBackground(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.failures.push(`the load failed: ${String(error)}`);
    });
  }
}
