import { type Random } from '@waggle/testing';
import { type ChatEvent, type Entry, type EntryRange } from '../../src/log/entry';

/** Conversations in which others write, and which add and remove the reader. */
export class RandomConversations {
  readonly entries: Entry[] = [];
  /** What the reader was or is subscribed to. */
  readonly ranges: EntryRange[];
  private readonly lastSeqs = new Map<string, number>();
  ownSeq = 0;

  constructor(
    private readonly random: Random,
    readonly reader: string,
    readonly streams: readonly string[],
    /** How often the reader leaves a conversation, or rejoins; without an event if it only follows. */
    private readonly moves: { leaves: number; joins: number; onlyFollows?: boolean },
  ) {
    this.ranges = streams.map((stream) => ({ stream, from: 1, to: Infinity, hasLeft: false }));
  }

  lastSeq(stream: string): number {
    return this.lastSeqs.get(stream) ?? 0;
  }

  /**
   * @returns the next entry, an entry of the reader's stream if it is subscribed again, and the events of the first for
   * the reader
   */
  commit(): { entry: Entry; own: Entry[]; isFor: readonly ChatEvent['type'][] } {
    const { random, reader } = this;
    const stream = random.pick(this.streams);
    const seq = this.lastSeq(stream) + 1;
    this.lastSeqs.set(stream, seq);
    const own: Entry[] = [];
    const current = () => this.ranges.find((range) => range.stream === stream && !range.hasLeft);
    const join = () => {
      if (current() !== undefined) return;
      this.ranges.push({ stream, from: seq, to: Infinity, hasLeft: false });
      const subscriptions = [{ conversation: stream, from: seq }];
      own.push({ stream: reader, seq: (this.ownSeq += 1), events: [], joins: [], leaves: [], subscriptions });
    };
    // Following is not an entry of the conversation: the reader receives the next entries.
    if (this.moves.onlyFollows === true && random.chance(this.moves.joins)) join();
    const isMember = current() !== undefined;
    const change = (events: ChatEvent[], moves: { joins?: string[]; leaves?: string[] } = {}): Entry => ({
      ...{ stream, seq, events, joins: [], leaves: [], subscriptions: [] },
      ...moves,
    });
    const gone: ChatEvent = { type: 'conversation-removed', payload: { id: stream }, to: [reader] };
    const noted = (username: string): ChatEvent => ({
      type: 'member-added',
      payload: { conversation_id: stream, username },
      to: {},
    });
    const all = (entry: Entry, isFor: readonly ChatEvent['type'][]) => {
      this.entries.push(entry);
      return { entry, own, isFor };
    };
    if (isMember && random.chance(this.moves.leaves)) {
      Object.assign(current() ?? {}, { to: seq, hasLeft: true });
      if (this.moves.onlyFollows === true) return all(change([], { leaves: [reader] }), []);
      return all(change([gone, noted('x')], { leaves: [reader] }), [gone.type, 'member-added']);
    }
    if (!isMember && random.chance(this.moves.joins)) {
      join();
      return all(change([noted(reader), gone], { joins: [reader] }), ['member-added', gone.type]);
    }
    if (random.chance(0.1)) return all(change([{ ...gone, to: ['zoe'] }]), []);
    const sender = random.pick(['ann', 'ben', 'zoe']);
    const content = 'x'.repeat(random.chance(0.5) ? 10 : random.below(30_000));
    const message = { id: `${stream}-${seq}`, sender, recipient: null, content, sentAt: '' };
    return all({ stream, seq, message }, isMember ? ['chat-message'] : []);
  }
}
