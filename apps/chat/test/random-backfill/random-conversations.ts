import { type Random } from '@waggle/testing';
import { type ChatEvent, type Entry } from '../../src/log/entry';

/** Conversations in which others write, and which add and remove the reader. */
export class RandomConversations {
  readonly entries: Entry[] = [];
  private readonly lastSeqs = new Map<string, number>();
  private readonly members: Set<string>;

  constructor(
    private readonly random: Random,
    readonly reader: string,
    readonly streams: readonly string[],
    /** How often the reader leaves a conversation, or rejoins; without an event if it only follows. */
    private readonly moves: { leaves: number; joins: number; onlyFollows?: boolean },
  ) {
    this.members = new Set(streams);
  }

  /** @returns the next entry, and who is subscribed to it */
  commit(): { entry: Entry; subscribers: ReadonlySet<string>; isFor: readonly ChatEvent['type'][] } {
    const { random, reader } = this;
    const stream = random.pick(this.streams);
    const seq = (this.lastSeqs.get(stream) ?? 0) + 1;
    this.lastSeqs.set(stream, seq);
    // Following is not an entry of the conversation: the reader receives the next entries.
    if (this.moves.onlyFollows === true && random.chance(this.moves.joins)) this.members.add(stream);
    const isMember = this.members.has(stream);
    const subscribers = new Set(isMember ? [reader, 'zoe'] : ['zoe']);
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
    const all = (entry: Entry, isFor: readonly ChatEvent['type'][], to = subscribers) => {
      this.entries.push(entry);
      return { entry, subscribers: to, isFor };
    };
    if (isMember && random.chance(this.moves.leaves)) {
      this.members.delete(stream);
      if (this.moves.onlyFollows === true) return all(change([], { leaves: [reader] }), []);
      return all(change([gone, noted('x')], { leaves: [reader] }), [gone.type, 'member-added']);
    }
    if (!isMember && random.chance(this.moves.joins)) {
      this.members.add(stream);
      const joined = new Set([reader, 'zoe']);
      return all(change([noted(reader), gone], { joins: [reader] }), ['member-added', gone.type], joined);
    }
    if (random.chance(0.1)) return all(change([{ ...gone, to: ['zoe'] }]), []);
    const sender = random.pick(['ann', 'ben', 'zoe']);
    const content = 'x'.repeat(random.chance(0.5) ? 10 : random.below(30_000));
    const message = { id: `${stream}-${seq}`, sender, recipient: null, content, sentAt: '' };
    return all({ stream, seq, message }, isMember ? ['chat-message'] : []);
  }
}
