import { maxReactionKinds, type ServerPayload } from '@waggle/contracts';
import { type ClientBase } from 'pg';
import { findReactions } from '../log/message-reactions';
import { deleteReactions, insertReactions, reactionsOfAccounts } from './reactions.statements';

type Payload = ServerPayload<'reactions-changed'>;

/** A reaction of an account. */
interface AccountReaction {
  emoji: string;
  account: string;
}

/** Collects changes of the reactions to one message, and stores them. The caller holds the lock of the conversation. */
export class ReactionChangeset {
  readonly changes: Payload['changes'] = [];
  private readonly stored: ReadonlyMap<string, AccountReaction>;

  private constructor(
    private readonly client: ClientBase,
    private readonly message: { conversationId: string; seq: number },
    /** How many accounts have reacted with each emoji. */
    private readonly counts: Map<string, number>,
    /** The reactions of the accounts, by `keyOf`. */
    private readonly reactions: Map<string, AccountReaction>,
  ) {
    this.stored = new Map(reactions);
  }

  /** @param accounts whose reactions may be changed */
  static async read(
    client: ClientBase,
    message: { conversationId: string; seq: number },
    accounts: readonly string[],
  ): Promise<ReactionChangeset> {
    const counts = new Map((await countsOf(client, message)).map(({ emoji, count }) => [emoji, count]));
    const rows = await reactionsOfAccounts.query(client, { ...message, accounts });
    return new ReactionChangeset(client, message, counts, new Map(rows.map((row) => [keyOf(row), row])));
  }

  /** Adds or removes a reaction. @returns `unchanged` if it is as requested already */
  change(reaction: AccountReaction, added: boolean): 'changed' | 'unchanged' | 'too-many' {
    const { emoji, account } = reaction;
    const key = keyOf(reaction);
    if (this.reactions.has(key) === added) return 'unchanged';
    const count = this.counts.get(emoji) ?? 0;
    if (added && count === 0 && this.counts.size >= maxReactionKinds) return 'too-many';
    if (added) this.reactions.set(key, reaction);
    else this.reactions.delete(key);
    if (added) this.counts.set(emoji, count + 1);
    else if (count > 1) this.counts.set(emoji, count - 1);
    else this.counts.delete(emoji);
    this.changes.push({ username: account, emoji, added });
    return 'changed';
  }

  /** Stores the changes. @returns the counts afterwards, in the order of the history */
  async store(): Promise<Payload['reactions']> {
    const added = difference(this.reactions, this.stored);
    const removed = difference(this.stored, this.reactions);
    if (removed.length > 0) await deleteReactions.execute(this.client, { ...this.message, ...columnsOf(removed) });
    if (added.length > 0) await insertReactions.execute(this.client, { ...this.message, ...columnsOf(added) });
    return countsOf(this.client, this.message);
  }
}

async function countsOf(
  client: ClientBase,
  { conversationId, seq }: { conversationId: string; seq: number },
): Promise<Payload['reactions']> {
  const found = await findReactions(client, { conversationId, from: seq, to: seq }, '');
  return (found.get(seq) ?? []).map(({ emoji, count }) => ({ emoji, count }));
}

function keyOf({ emoji, account }: AccountReaction): string {
  return `${account} ${emoji}`;
}

/** Returns what one map has and the other has not. */
function difference(
  one: ReadonlyMap<string, AccountReaction>,
  other: ReadonlyMap<string, AccountReaction>,
): AccountReaction[] {
  return Array.from(one).flatMap(([key, reaction]) => (other.has(key) ? [] : [reaction]));
}

function columnsOf(reactions: readonly AccountReaction[]) {
  return { emojis: reactions.map(({ emoji }) => emoji), accounts: reactions.map(({ account }) => account) };
}
