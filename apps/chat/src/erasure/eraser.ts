import { Inject, Injectable } from '@nestjs/common';
import { type RowIn } from '@waggle/service';
import { type ClientBase } from 'pg';
import { ChangeTransactions } from '../delivery/change-transactions';
import { type NewChange } from '../log/append-changes';
import { type ChatEvent } from '../log/entry';
import { LockedConversation } from '../membership/locked-conversation';
import { ReactionChangeset } from '../reactions/reaction-changeset';
import { groupBy } from '../portions';
import { type AccountEvent, LockedPair } from '../relations/locked-pair';
import { SEARCH_SETTINGS, type SearchSettings } from '../search/search-settings';
import {
  eraseCreator,
  eraseDrafts,
  eraseMember,
  eraseMentions,
  eraseMessages,
  eraseOwnEvents,
  eraseSessions,
  eraseSettings,
  eraseTraces,
  finishErasure,
  lastSeqOf,
  lockErasure,
  maxErased,
  maxRows,
  maxSeqs,
  nextConversation,
  nextRelation,
  pauseErasure,
  reactionsEnd,
  reactionsInRange,
  saveErasure,
  startErasure,
} from './erasure.statements';

/** How far an erasure is: its row, whose columns `ErasureEntity` describes. */
type Progress = RowIn<typeof lockErasure>;

/**
 * Erases the data of an account in batches. What is left to do is in the database: the relations, the conversations
 * after the saved progress, and then the rest. So any instance continues after any batch.
 */
@Injectable()
export class Eraser {
  constructor(
    private readonly changeTransactions: ChangeTransactions,
    @Inject(SEARCH_SETTINGS) private readonly search: SearchSettings,
  ) {}

  /**
   * Erases a batch, in a transaction. The first one only ends sessions. Does nothing if all is erased, another instance
   * is erasing a batch of the account, or the pause after the last one is not over.
   */
  async eraseBatch(account: string): Promise<void> {
    await this.changeTransactions.make(undefined, async (client) => {
      const progress = await lockErasure.find(client, { account });
      if (progress === undefined) return [];
      const changes = await this.eraseNext(client, account, progress);
      await pauseErasure.execute(client, { account });
      return changes;
    });
  }

  private async eraseNext(client: ClientBase, account: string, progress: Progress): Promise<NewChange[]> {
    if (progress.started_at === null) {
      // Also sessions of a log-in at the moment of the request, or of a restored backup.
      await eraseSessions.execute(client, { account });
      await startErasure.execute(client, { account });
      return [];
    }
    const startedAt = progress.started_at;
    return (
      (await this.eraseRelation(client, account, startedAt)) ??
      (await this.eraseConversation(client, account, progress, startedAt)) ??
      (await this.eraseRest(client, account))
    );
  }

  /**
   * Ends the friendship, request and block of the account with another one.
   *
   * @param before contacts that others began later stay, so that they cannot prolong the erasure
   * @returns undefined if there is none
   */
  private async eraseRelation(client: ClientBase, account: string, before: Date): Promise<NewChange[] | undefined> {
    const other = (await nextRelation.find(client, { account, before }))?.other;
    if (other === undefined) return undefined;
    const pair = await LockedPair.lock(client, account, other);
    const events: AccountEvent[] = await pair.endFriendship();
    const request = await pair.findRequest();
    if (request !== undefined) {
      await pair.removeRequest(request.id);
      events.push({ type: 'friendship-rejected', payload: { id: request.id }, to: [other] });
    }
    if (await pair.unblock(account, other)) await pair.updateDmBlocked();
    const changes = await pair.changesOf(events);
    // The account itself gets no events: they would be data of it.
    return changes.filter((change) => !('account' in change && change.account === account));
  }

  /** Erases the next entries of a conversation, and then the membership. @returns undefined if there is none */
  private async eraseConversation(
    client: ClientBase,
    account: string,
    { conversation_id: from, seq, kept_from: keptFrom }: Progress,
    before: Date,
  ): Promise<NewChange[] | undefined> {
    const next = await nextConversation.find(client, { account, from, isIncluded: seq !== null, before });
    if (next === undefined) return undefined;
    const { conversation_id: conversationId } = next;
    const conversation = await LockedConversation.lock(client, conversationId, []);
    const last = await lastSeqOf.find(client, { id: conversationId });
    if (conversation === undefined || last === undefined)
      throw new Error('a member of a conversation that does not exist');
    const afterSeq = conversationId === from ? Number(seq ?? 0) : 0;
    const lastSeq = Number(last.last_seq);
    const range = { conversationId, account, afterSeq, toSeq: Math.min(afterSeq + maxSeqs, lastSeq) };
    const { events, toSeq } = await this.eraseEntries(client, range, keptFrom);
    // Events are stored as another entry, which the next batch searches.
    const isLast = events.length === 0 && toSeq >= lastSeq;
    await saveErasure.execute(client, { account, conversationId, seq: isLast ? null : toSeq });
    if (isLast) return [await endMembership(conversation, account, keptFrom !== null)];
    return events.length === 0 ? [] : [{ conversationId, events, isQuiet: true }];
  }

  /** Erases what the account has in a range, as far as the limit of a batch allows. */
  private async eraseEntries(client: ClientBase, range: Range, keptFrom: Date | null): Promise<ErasedRange> {
    const reactions = await removeReactions(client, range);
    const withoutReactions = { ...range, toSeq: reactions.toSeq };
    const messages = await eraseMessages.query(client, { ...withoutReactions, keptFrom, isIndexed: this.search.isOn });
    const toSeq = messages.length === maxErased ? Number(messages.at(-1)?.seq) : reactions.toSeq;
    await eraseTraces.execute(client, { ...range, toSeq });
    const deleted = messages
      .filter(({ is_shown }) => is_shown)
      .map(({ id }): ChatEvent => ({ type: 'message-deleted', payload: { id }, to: {} }));
    return { events: [...reactions.events, ...deleted], toSeq };
  }

  /** Erases what belongs to no conversation. In the end the account can log in again. */
  private async eraseRest(client: ClientBase, account: string): Promise<NewChange[]> {
    const isLast =
      (await eraseOwnEvents.execute(client, { account })) < maxRows &&
      (await eraseMentions.execute(client, { account })) < maxRows;
    if (isLast) {
      await eraseDrafts.execute(client, { account });
      await eraseSettings.execute(client, { account });
      await eraseSessions.execute(client, { account });
      await finishErasure.execute(client, { account });
    }
    return [];
  }
}

/** The entries of a conversation after `afterSeq`, up to `toSeq`. */
interface Range {
  conversationId: string;
  account: string;
  afterSeq: number;
  toSeq: number;
}

/** What a batch erased of a range. */
interface ErasedRange {
  events: ChatEvent[];
  /** The end of the range that is erased. */
  toSeq: number;
}

/**
 * Removes the account's reactions in a range, as far as the limit of a batch allows. Reactions to deleted messages have
 * no event; `eraseTraces` removes them.
 */
async function removeReactions(client: ClientBase, range: Range): Promise<ErasedRange> {
  const { conversationId, account, afterSeq } = range;
  /** The end of the range without a message, but at least its first one, so that each batch gets further. */
  const endBefore = (seq: string) => Math.max(afterSeq + 1, Number(seq) - 1);
  const end = await reactionsEnd.find(client, range);
  const scanned = { ...range, toSeq: end === undefined ? range.toSeq : endBefore(end.seq) };
  const rows = await reactionsInRange.query(client, scanned);
  const last = rows[maxErased - 1];
  // There may be more reactions of the account to the last message. One message has at most `maxErased`.
  const toSeq = last === undefined ? scanned.toSeq : endBefore(last.seq);
  const removable = rows.flatMap(({ id, seq, emoji }) =>
    id === null || Number(seq) > toSeq ? [] : [{ id, seq: Number(seq), emoji }],
  );
  const events: ChatEvent[] = [];
  for (const [seq, reactions] of groupBy(removable, (reaction) => reaction.seq)) {
    const { id = '' } = reactions[0] ?? {};
    const changeset = await ReactionChangeset.read(client, { id, conversationId, seq }, [account]);
    for (const { emoji } of reactions) changeset.change({ emoji, account }, false);
    events.push({ type: 'reactions-changed', payload: await changeset.store(), to: {} });
  }
  return { events, toSeq };
}

/**
 * Ends what the account has with a conversation. Its dms remain for the other account, bans in force, and a membership
 * that a replay needs to find the messages that it keeps.
 */
async function endMembership(conversation: LockedConversation, account: string, isReplay: boolean): Promise<NewChange> {
  const { client, id: conversationId, type } = conversation;
  const record = await conversation.recordOf(account);
  if (type !== 'dm' && record?.status !== 'banned') await conversation.leave(account);
  await eraseCreator.execute(client, { id: conversationId, account });
  await eraseMember.execute(client, { conversationId, account, isReplay });
  // Without events the entry still ends cached permissions, so that the next message of a dm shows it again.
  if (type === 'dm' || record?.is_subscribed !== true) return { conversationId, events: [] };
  const left: ChatEvent = {
    type: 'member-left',
    payload: { conversation_id: conversationId, member: account },
    to: { except: account },
  };
  return { conversationId, events: record.status === 'member' ? [left] : [], leaves: [account] };
}
