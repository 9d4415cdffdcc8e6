import { Inject, Injectable } from '@nestjs/common';
import { type ClientPayload, type Draft, identifier, maxDrafts } from '@waggle/contracts';
import { inTransaction, POOL } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { z } from 'zod';
import { Delivery } from '../delivery/delivery';
import { ChatError, notFound } from '../errors';
import { decodeCursor, encodeCursor, type Page } from '../lists/page';
import { type RepliedTo } from '../log/message-body';
import { addQuotes, findMessages } from '../log/quotes';
import { type FrameRequest } from '../realtime/frame-request';
import { deleteDraft, draftsOfAccount, lockMember, storeDraft } from './drafts.statements';

/** The cursor of a page of drafts: the conversation of the last one of the page before. */
const draftCursor = z.tuple([identifier]);

/** A draft as it is stored now. */
interface StoredDraft {
  conversationId: string;
  /** Empty if it was deleted. */
  text: string;
  repliedTo: RepliedTo | undefined;
  updatedAt: Date;
}

/** Keeps the drafts of accounts, for all their devices. */
@Injectable()
export class DraftsService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly delivery: Delivery,
  ) {}

  /**
   * Replaces the draft of the caller in a conversation, or deletes it if the text is empty. The event is not stored.
   *
   * @throws ChatError `not-found` if the caller is no member, or the conversation lacks the message that the draft
   * replies to; `too-large` if the caller has too many drafts, so that the device keeps the text
   */
  async set(payload: ClientPayload<'set-draft'>, request: FrameRequest): Promise<void> {
    const { account } = request;
    const { conversation_id: conversationId, text, reply_to: replyTo } = payload;
    const member = { account, conversationId };
    const draft = await inTransaction(this.pool, async (client) => {
      if ((await lockMember.execute(client, member)) === 0) throw notFound();
      return text === '' ? await removeDraft(client, member) : await replaceDraft(client, member, text, replyTo);
    });
    // Nothing is awaited before it, so that events have the order of their transactions.
    this.delivery.broadcast(account, { type: 'draft-changed', payload: draft, to: [account] }, request);
  }

  /** Returns the drafts of an account, ordered by conversation, so that changes move none to another page. */
  async list(account: string, cursor: string | undefined): Promise<Page<Draft>> {
    const [after] = cursor === undefined ? [''] : decodeCursor(cursor, draftCursor);
    const rows = await draftsOfAccount.query(this.pool, { account, after });
    const drafts = rows.map(({ conversation_id, text, reply_to_seq, updated_at }) => ({
      conversationId: conversation_id,
      text,
      repliedTo: reply_to_seq === null ? undefined : { seq: Number(reply_to_seq) },
      updatedAt: updated_at,
    }));
    await addQuotes(this.pool, drafts);
    const last = rows.at(-1);
    return {
      items: drafts.map(toDraft),
      next: last?.has_next === true ? encodeCursor([last.conversation_id]) : undefined,
    };
  }
}

/** Identifies a draft. */
interface DraftKey {
  account: string;
  conversationId: string;
}

async function removeDraft(client: ClientBase, key: DraftKey): Promise<Draft> {
  const deleted = await deleteDraft.find(client, key);
  if (deleted === undefined) throw new Error('no time of the deletion');
  const { conversationId } = key;
  return toDraft({ conversationId, text: '', repliedTo: undefined, updatedAt: deleted.updated_at });
}

/** @throws ChatError `not-found`, `too-large` */
async function replaceDraft(
  client: ClientBase,
  key: DraftKey,
  text: string,
  replyTo: string | undefined,
): Promise<Draft> {
  const { conversationId } = key;
  const repliedTo = replyTo === undefined ? undefined : await findMessage(client, conversationId, replyTo);
  const stored = await storeDraft.find(client, { ...key, text, replyToSeq: repliedTo?.seq ?? null });
  if (stored === undefined) throw new ChatError('too-large', `an account has at most ${maxDrafts} drafts`);
  await addQuotes(client, [{ conversationId, repliedTo }]);
  return toDraft({ conversationId, text, repliedTo, updatedAt: stored.updated_at });
}

function toDraft({ conversationId, text, repliedTo, updatedAt }: StoredDraft): Draft {
  return {
    conversation_id: conversationId,
    text,
    ...(repliedTo?.quote !== undefined && { reply_to: repliedTo.quote }),
    updated_at: updatedAt.toISOString(),
  };
}

/** @throws ChatError `not-found` */
async function findMessage(client: ClientBase, conversationId: string, id: string): Promise<RepliedTo> {
  const [found] = await findMessages(client, [{ conversationId, id }]);
  if (found === undefined) throw notFound();
  return { seq: found.seq };
}
