import { type Random } from '@waggle/testing';
import { type LibraryClient } from './clients/library-client';
import { type Conversation } from './conversations';
import { type Ledger } from './ledger';

/** What is written where. */
const shares: readonly { kind: Conversation['kind']; share: number }[] = [
  { kind: 'dm', share: 0.6 },
  { kind: 'group', share: 0.3 },
  { kind: 'channel', share: 0.1 },
];

const beatMs = 20;
/** What could not be sent in time, since this process was busy, is not made up for beyond this. */
const sentMostInABeat = 20;
/** A client that has so many messages waiting writes no more: it waits, as a person does. */
const waitingMost = 10;

const newGroupEveryMs = 3_000;
const newGroupMembers = 4;

/** The longest text that is written, in characters. */
const textMost = 200;
/** As large as a message may be by default: 4,000 characters of three bytes each. */
const largeText = '界'.repeat(3_900);
/** A flood ends after so long, however few messages it was: the machine is busy with other things. */
const floodMostMs = 20_000;

export interface LoadOptions {
  clients: readonly LibraryClient[];
  conversations: Conversation[];
  ledger: Ledger;
  /** Messages a second over all clients. */
  perSecond: number;
  random: Random;
}

/** Clients write all the time, whatever happens to them; now and then one makes a group. */
export class Load {
  #timer: NodeJS.Timeout | undefined;
  #sinceMs = 0;
  #due = 0;
  #groupDueMs = 0;
  /** Messages that were not written, since their writers had enough waiting. */
  heldBack = 0;

  constructor(private readonly options: LoadOptions) {}

  start(): void {
    this.#sinceMs = performance.now();
    this.#groupDueMs = this.#sinceMs + newGroupEveryMs;
    this.#timer = setInterval(() => {
      this.#beat();
    }, beatMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Writes from now on into these conversations alone: others are no longer stored. */
  keepOnly(ids: ReadonlySet<string>): void {
    const { conversations } = this.options;
    conversations.splice(0, conversations.length, ...conversations.filter(({ id }) => ids.has(id)));
  }

  /** Large messages into one conversation, one after another from each writer; resolves when the last is answered. */
  async flood({ id }: Conversation, writers: readonly LibraryClient[], count: number): Promise<void> {
    const endMs = performance.now() + floodMostMs;
    let left = count;
    const writeSome = async (writer: LibraryClient) => {
      while (left > 0 && performance.now() < endMs) {
        left -= 1;
        await this.#write(writer, id, largeText);
      }
    };
    await Promise.all(writers.map(writeSome));
  }

  #beat(): void {
    const { perSecond } = this.options;
    const nowMs = performance.now();
    const dueByNow = Math.floor(((nowMs - this.#sinceMs) / 1_000) * perSecond);
    const count = Math.min(dueByNow - this.#due, sentMostInABeat);
    this.#due = dueByNow;
    for (let sent = 0; sent < count; sent += 1) this.#writeSomewhere();
    if (nowMs < this.#groupDueMs) return;
    this.#groupDueMs = nowMs + newGroupEveryMs;
    void this.#makeGroup();
  }

  #writeSomewhere(): void {
    const { conversations, random } = this.options;
    const kind = this.#pickKind();
    const { id, writers } = random.pick(conversations.filter((conversation) => conversation.kind === kind));
    const writer = random.pick(writers);
    const length = Math.floor(random.between(1, textMost));
    if (writer.waiting >= waitingMost) this.heldBack += 1;
    else void this.#write(writer, id, 'x'.repeat(length));
  }

  #pickKind(): Conversation['kind'] {
    let left = this.options.random.next();
    for (const { kind, share } of shares) {
      if (left < share) return kind;
      left -= share;
    }
    return 'dm';
  }

  async #write(writer: LibraryClient, conversationId: string, text: string): Promise<void> {
    await this.options.ledger.send(writer.account, conversationId, (mark) =>
      writer.send(conversationId, `${mark} ${text}`),
    );
  }

  async #makeGroup(): Promise<void> {
    const { clients, conversations, ledger, random } = this.options;
    const members = random.sample(clients, newGroupMembers);
    const [creator, ...others] = members;
    if (creator === undefined || creator.waiting >= waitingMost) return;
    const accounts = others.map(({ account }) => account);
    const stored = await ledger.send(creator.account, null, async (mark) => {
      return (await creator.createGroup(accounts, mark)).message;
    });
    if (stored === undefined) return;
    conversations.push({ id: stored.conversation_id, kind: 'group', writers: members, hearers: members });
  }
}
