import { extendedConversation, unreadCounts, type Capability } from '@waggle/contracts';
import { isLong } from '@waggle/testing/long-form';
import * as fc from 'fast-check';
import { type ChatUser } from '../support/chat-client';
import { type ChatSocket } from '../support/chat-socket';
import { ChatUnderTest } from '../support/chat-under-test';
import { DatabaseState } from '../support/database-state';

/*
 * Counts = recount. Four users perform random actions one after the other. A model keeps the messages and what each
 * user has read, and counts them again after every action.
 *
 * RUNS  number of random histories of a hundred actions each; default 1, with LONG=true 10
 * SEED  repeats the histories of a failed run; the seed is part of the test's name
 */
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const runs = Number(process.env['RUNS'] ?? (isLong ? 10 : 1));
const stepsOfRun = 100;

const capabilities: readonly Capability[] = ['rich', 'sync', 'read-position'];
const names = ['alice', 'bob', 'carol', 'dave'] as const;
type Name = (typeof names)[number];

const kinds = [
  'say',
  'say',
  'reply',
  'edit',
  'delete',
  'read',
  'read-up-to',
  'mark-unread',
  'mute',
  'unmute',
  'remove',
  'add',
  'block',
  'unblock',
] as const;
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  who: fc.constantFrom(...names),
  whom: fc.constantFrom(...names),
  conversation: fc.nat(2),
  message: fc.nat(11),
  text: fc.constantFrom(
    'hi',
    '@alice',
    '@bob and @carol',
    '@all',
    '@here',
    '`@dave`',
    '@dave @dave',
    'https://a.example/@bob',
  ),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What the texts mention: accounts, and `*` for all members. */
const mentionsOfText: Record<string, readonly string[]> = {
  '@alice': ['alice'],
  '@bob and @carol': ['bob', 'carol'],
  '@all': ['*'],
  '@dave @dave': ['dave'],
};

interface ModelMessage {
  id: string;
  seq: number;
  from: Name;
  replyTo: ModelMessage | undefined;
  isDeleted: boolean;
  /** The sequence number of the entry that mentioned the account or `*`. */
  mentions: Map<string, number>;
}

class ModelConversation {
  readonly messages: ModelMessage[] = [];
  readonly read = new Map<string, number>();
  readonly mutedBy = new Set<string>();
  lastSeq = 0;

  constructor(
    readonly id: string,
    readonly type: 'dm' | 'group' | 'channel',
    readonly members: Set<string>,
  ) {}

  countsOf(account: string) {
    const isMember = this.members.has(account);
    const read = this.read.get(account) ?? 0;
    const mayRead = isMember || this.type === 'channel';
    const others = this.messages.filter(({ from, isDeleted }) => from !== account && !isDeleted);
    const unread = isMember ? others.filter(({ seq }) => seq > read) : [];
    const isMention = ({ mentions }: ModelMessage) =>
      [account, ...(isMember ? ['*'] : [])].some((each) => (mentions.get(each) ?? 0) > read);
    return { unread, mentions: mayRead ? others.filter(isMention).length : 0 };
  }
}

describe('counts of unread messages', () => {
  let chat: ChatUnderTest;
  let stored: DatabaseState;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
    stored = await DatabaseState.connect(chat.database);
  });
  afterAll(async () => {
    await stored.close();
    await chat.stop();
  });

  it(
    `equal the counts of a model that counts again (${runs * stepsOfRun} steps, seed ${seed})`,
    async () => {
      let done = 0;
      const property = fc.asyncProperty(
        fc.array(step, { minLength: stepsOfRun, maxLength: stepsOfRun }),
        async (steps) => {
          await stored.clear();
          const world = await World.create(chat);
          try {
            const performed: string[] = [];
            for (const each of steps) {
              if (!(await world.perform(each))) continue;
              performed.push(JSON.stringify(each));
              await world.compare(each.whom).catch((error: unknown) => {
                throw new Error(`wrong counts of ${each.whom} after ${performed.join()}`, { cause: error });
              });
            }
            for (const name of names) await world.compare(name);
            done += performed.length;
          } finally {
            await chat.instance.close();
          }
        },
      );
      await fc.assert(property, { numRuns: runs, seed, endOnFailure: true });
      expect(done).toBeGreaterThan((runs * stepsOfRun) / 10);
    },
    60_000 + runs * 30_000,
  );
});

/** The users, their conversations and the model. */
class World {
  private readonly blocks = new Set<string>();
  private texts = 0;

  private constructor(
    private readonly users: ReadonlyMap<Name, ChatUser>,
    private readonly sockets: ReadonlyMap<Name, ChatSocket>,
    private readonly conversations: readonly ModelConversation[],
  ) {}

  static async create({ instance }: ChatUnderTest): Promise<World> {
    const users = new Map<Name, ChatUser>();
    const sockets = new Map<Name, ChatSocket>();
    for (const name of names) {
      const user = await instance.join(name);
      users.set(name, user);
      sockets.set(name, await user.connect(capabilities));
    }
    const alice = defined(users.get('alice'));
    const dm = await alice.open('bob');
    const group = await alice.open(['bob', 'carol']);
    const channel = await alice.createChannel('Bees');
    const conversations = [
      new ModelConversation(dm.id, 'dm', new Set(['alice', 'bob'])),
      new ModelConversation(group.id, 'group', new Set(['alice', 'bob', 'carol'])),
      new ModelConversation(channel.id, 'channel', new Set(['alice'])),
    ];
    const world = new World(users, sockets, conversations);
    for (const conversation of conversations) {
      await world.say(conversation, 'alice', 'hi', undefined);
      for (const name of names) if (conversation.members.has(name)) await world.acknowledge(conversation, name);
    }
    // Joins by writing.
    await world.say(defined(conversations[2]), 'bob', 'hi', undefined);
    return world;
  }

  /** @returns false if the step is not possible */
  async perform({ kind, who, whom, text, ...chosen }: Step): Promise<boolean> {
    const conversation = defined(this.conversations[chosen.conversation]);
    const message = conversation.messages.at(-1 - chosen.message);
    const isMember = conversation.members.has(who);
    const owned = conversation.messages.filter(({ from, isDeleted }) => from === who && !isDeleted && isMember);
    const own = owned[chosen.message % owned.length];
    const pair = `${who} ${whom}`;
    switch (kind) {
      case 'say':
      case 'reply':
        // An account joins a channel by writing.
        if (!(isMember || conversation.type === 'channel') || (kind === 'reply' && message === undefined)) return false;
        await this.say(conversation, who, text, kind === 'reply' ? message : undefined);
        return true;
      case 'edit':
        if (own === undefined) return false;
        await this.edit(conversation, own, text);
        return true;
      case 'delete':
        if (own === undefined) return false;
        await this.change(who, conversation, 'delete-message', { id: own.id }, 'message-deleted');
        own.isDeleted = true;
        return true;
      case 'read':
        if (!isMember && conversation.type !== 'channel') return false;
        await this.acknowledge(conversation, who);
        return true;
      case 'read-up-to': {
        if (!isMember || message === undefined) return false;
        const payload = { conversation_id: conversation.id, seq: message.seq };
        await this.socketOf(who).request('acknowledgment', payload, 'read-position');
        conversation.read.set(who, Math.max(conversation.read.get(who) ?? 0, message.seq));
        return true;
      }
      case 'mark-unread':
        if (!isMember || message === undefined || message.isDeleted) return false;
        await this.socketOf(who).request('mark-unread', { id: message.id }, 'read-position');
        conversation.read.set(who, Math.min(conversation.read.get(who) ?? 0, message.seq - 1));
        return true;
      case 'mute':
      case 'unmute': {
        const muted = kind === 'mute';
        if (!isMember || conversation.mutedBy.has(who) === muted) return false;
        const payload = { conversation_id: conversation.id, muted };
        await this.socketOf(who).request('set-conversation-preferences', payload, 'conversation-preferences-changed');
        if (muted) conversation.mutedBy.add(who);
        else conversation.mutedBy.delete(who);
        return true;
      }
      case 'remove': {
        // Alice moderates. An account that leaves itself is only added again by friends.
        if (!isMember || who === 'alice' || conversation.type !== 'group') return false;
        const payload = { conversation_id: conversation.id, username: who };
        await this.change('alice', conversation, 'remove-member', payload, 'member-removed');
        conversation.members.delete(who);
        conversation.mutedBy.delete(who);
        return true;
      }
      case 'add': {
        if (conversation.type !== 'group' || conversation.members.has(whom)) return false;
        const payload = { conversation_id: conversation.id, username: whom };
        await this.change('alice', conversation, 'add-member', payload, 'member-added');
        conversation.members.add(whom);
        conversation.read.set(whom, conversation.lastSeq);
        return true;
      }
      case 'block':
      case 'unblock': {
        // The dm of alice and bob stays open.
        if (who === whom || who === 'alice' || whom === 'alice' || this.blocks.has(pair) === (kind === 'block'))
          return false;
        const type = kind === 'block' ? 'user-blocked' : 'user-unblocked';
        await this.socketOf(who).request(`${kind}-user`, { username: whom }, type);
        if (kind === 'block') this.blocks.add(pair);
        else this.blocks.delete(pair);
        return true;
      }
    }
  }

  /** Compares what an account fetches with the model. */
  async compare(name: Name): Promise<void> {
    const user = defined(this.users.get(name));
    const total = { direct_messages: 0, mentions: 0, group_messages: 0 };
    for (const conversation of this.conversations) {
      const { unread, mentions } = conversation.countsOf(name);
      const isMuted = conversation.mutedBy.has(name);
      if (!isMuted) total[conversation.type === 'dm' ? 'direct_messages' : 'group_messages'] += unread.length;
      if (conversation.type !== 'dm' || isMuted) total.mentions += mentions;
      if (!conversation.members.has(name)) continue;
      const path = `/messages/conversation?id=${conversation.id}&extended=true`;
      const { unread_count, mention_count, first_unread_id } = await user.getJson(path, extendedConversation);
      const first = unread[0]?.id ?? null;
      const { type } = conversation;
      const counted = { unread_count: unread.length, mention_count: mentions, first_unread_id: first };
      expect({ type, unread_count, mention_count, first_unread_id }).toEqual({ type, ...counted });
    }
    expect(await user.getJson('/messages/unread-counts', unreadCounts)).toEqual(total);
  }

  private async say(conversation: ModelConversation, from: Name, text: string, replyTo: ModelMessage | undefined) {
    this.texts += 1;
    const payload = { conversation_id: conversation.id, message: `${this.texts} ${text}`, reply_to: replyTo?.id };
    const { id, seq } = await this.change(from, conversation, 'chat-message', payload, 'chat-message');
    // Joins the channel by writing; earlier messages do not count as unread.
    if (!conversation.members.has(from)) conversation.read.set(from, seq);
    conversation.members.add(from);
    const message: ModelMessage = { id, seq, from, replyTo, isDeleted: false, mentions: new Map() };
    conversation.messages.push(message);
    this.mention(conversation, message, text, seq);
  }

  private async edit(conversation: ModelConversation, message: ModelMessage, text: string) {
    this.texts += 1;
    const payload = { id: message.id, message: `${this.texts} ${text}` };
    const { seq } = await this.change(message.from, conversation, 'edit-message', payload, 'message-edited');
    this.mention(conversation, message, text, seq);
  }

  /** Sets who a message mentions. What was mentioned before keeps its number. */
  private mention(conversation: ModelConversation, message: ModelMessage, text: string, seq: number) {
    const { from, replyTo } = message;
    const named = [...(mentionsOfText[text] ?? []), ...(replyTo === undefined ? [] : [replyTo.from])];
    const mentionsAll = named.includes('*') && from === 'alice' && conversation.type !== 'dm';
    const accounts = named.filter(
      (name) =>
        name !== '*' &&
        name !== from &&
        !this.blocks.has(`${name} ${from}`) &&
        (conversation.members.has(name) ? !mentionsAll : conversation.type === 'channel'),
    );
    const mentioned = mentionsAll ? [...accounts, '*'] : accounts;
    message.mentions = new Map(mentioned.map((name) => [name, message.mentions.get(name) ?? seq]));
  }

  private async acknowledge(conversation: ModelConversation, name: Name) {
    // A connection without `sync` marks everything that is stored.
    const payload = { conversation_id: conversation.id };
    await defined(this.users.get(name)).socket.request('acknowledgment', payload, 'acknowledged');
    conversation.read.set(name, conversation.lastSeq);
  }

  /** Sends a frame, and waits for its reply. @returns the id of the message in it, and the sequence number */
  private async change(
    name: Name,
    conversation: ModelConversation,
    type: string,
    payload: object,
    reply: 'chat-message' | 'message-edited' | 'message-deleted' | 'member-added' | 'member-removed',
  ): Promise<{ id: string; seq: number }> {
    const ref = `${type} ${(this.texts += 1)}`;
    const socket = this.socketOf(name);
    socket.send(type, payload, { ref });
    const frame = await socket.nextMatching((each) => each.ref === ref && [reply, 'error'].includes(each.type));
    const seq = 'seq' in frame ? (frame.seq ?? NaN) : NaN;
    if (frame.type !== reply) throw new Error(`${type}: ${JSON.stringify(frame.payload)}`);
    conversation.lastSeq = seq;
    return { id: 'id' in frame.payload ? frame.payload.id : '', seq };
  }

  private socketOf(name: Name): ChatSocket {
    return defined(this.sockets.get(name));
  }
}

function defined<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('not defined');
  return value;
}
