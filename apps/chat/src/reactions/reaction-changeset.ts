import { maxReactionKinds, type ServerPayload } from '@waggle/contracts';
import { type ClientBase } from 'pg';
import { findReactions } from '../log/message-reactions';
import { deleteReactions, insertReactions, reactionsOfAccounts } from './reactions.statements';

type Payload = ServerPayload<'reactions-changed'>;

/** The message of a changeset. */
interface ReactedMessage {
  id: string;
  conversationId: string;
  seq: number;
}

/** A reaction of an account. */
interface AccountReaction {
  emoji: string;
  account: string;
}

/** Collects changes of the reactions to a message, and stores them. The caller holds the lock of the conversation. */
export class ReactionChangeset {
  /** The changes in the order of the requests, for the event. */
  private readonly changes: Payload['changes'] = [];
  /** The reactions of the accounts before the changes. */
  private readonly stored: ReadonlyMap<string, AccountReaction>;

  private constructor(
    private readonly client: ClientBase,
    private readonly message: ReactedMessage,
    /** How many accounts have reacted with each emoji. */
    private readonly counts: Map<string, number>,
    /** The reactions of the accounts after the changes, by `keyOf`. */
    private readonly reactions: Map<string, AccountReaction>,
  ) {
    this.stored = new Map(reactions);
  }

  /** Reads the reactions to a message. @param accounts whose reactions may be changed */
  static async read(
    client: ClientBase,
    message: ReactedMessage,
    accounts: readonly string[],
  ): Promise<ReactionChangeset> {
    const counts = new Map((await countsOf(client, message)).map(({ emoji, count }) => [emoji, count]));
    const { conversationId, seq } = message;
    const rows = await reactionsOfAccounts.query(client, { conversationId, seq, accounts });
    return new ReactionChangeset(client, message, counts, new Map(rows.map((row) => [keyOf(row), row])));
  }

  /** Adds or removes a reaction. @returns `unchanged` if it is as requested already */
  change(reaction: AccountReaction, added: boolean): 'changed' | 'unchanged' | 'too-many' {
    const { emoji, account } = reaction;
    const key = keyOf(reaction);
    if (this.reactions.has(key) === added) return 'unchanged';
    const count = this.counts.get(emoji) ?? 0;
    if (added && count === 0 && this.counts.size >= maxReactionKinds) return 'too-many';
    if (added) {
      this.reactions.set(key, reaction);
      this.counts.set(emoji, count + 1);
    } else {
      this.reactions.delete(key);
      if (count > 1) this.counts.set(emoji, count - 1);
      else this.counts.delete(emoji);
    }
    this.changes.push({ username: account, emoji, added });
    return 'changed';
  }

  /** Stores the changes. @returns the payload of the event */
  async store(): Promise<Payload> {
    const { id, conversationId, seq } = this.message;
    const added = difference(this.reactions, this.stored);
    const removed = difference(this.stored, this.reactions);
    if (removed.length > 0) await deleteReactions.execute(this.client, { conversationId, seq, ...columnsOf(removed) });
    if (added.length > 0) await insertReactions.execute(this.client, { conversationId, seq, ...columnsOf(added) });
    const reactions = await countsOf(this.client, this.message);
    return { id, conversation_id: conversationId, reactions, changes: this.changes };
  }
}

async function countsOf(client: ClientBase, { conversationId, seq }: ReactedMessage): Promise<Payload['reactions']> {
  const found = await findReactions(client, { conversationId, from: seq, to: seq }, '');
  return (found.get(seq) ?? []).map(({ emoji, count }) => ({ emoji, count }));
}

function keyOf({ emoji, account }: AccountReaction): string {
  return `${account} ${emoji}`;
}

/** Returns the reactions that only the first map has. */
function difference(
  one: ReadonlyMap<string, AccountReaction>,
  other: ReadonlyMap<string, AccountReaction>,
): AccountReaction[] {
  return Array.from(one).flatMap(([key, reaction]) => (other.has(key) ? [] : [reaction]));
}

function columnsOf(reactions: readonly AccountReaction[]) {
  return { emojis: reactions.map(({ emoji }) => emoji), accounts: reactions.map(({ account }) => account) };
}
