import { Inject, Injectable } from '@nestjs/common';
import { maxReactionKinds, type ClientPayload, type ServerPayload } from '@waggle/contracts';
import { Batcher, inTransaction, POOL } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { Delivery } from '../delivery/delivery';
import { ChatError, messageQueueOverloaded, notFound } from '../errors';
import { appendChanges } from '../log/append-changes';
import { type Entry } from '../log/entry';
import { LockedConversation } from '../membership/locked-conversation';
import { authorizeMessages, toChatError } from '../messages/authorize-messages';
import { conversationOfMessage } from '../messages/deletion.service';
import { type FrameRequest } from '../realtime/frame-request';
import { MessageReactions } from './message-reactions';
import { seqOfMessage } from './reactions.statements';

/** A request to add or remove a reaction. */
interface Change extends ClientPayload<'add-reaction'> {
  added: boolean;
  request: FrameRequest;
}

/** How a change ended: with an entry, whose delivery is the reply; with nothing to store; or with an error. */
type Outcome = 'stored' | ServerPayload<'reactions-changed'> | ChatError;

/** The state of one call of `storeChanges`. */
interface Stored {
  outcomes: ReadonlyMap<Change, Outcome>;
  entries: readonly Entry[];
}

/**
 * Changes reactions. The changes of one message that wait for each other are stored in one transaction and delivered as
 * one entry: a message that everybody reacts to does not flood its conversation.
 */
@Injectable()
export class ReactionsService {
  private readonly batcher = new Batcher<Change, Outcome>({
    keyOf: ({ id }) => id,
    flush: (changes) => Promise.resolve(this.storeAll(changes)),
    maxItems: 500,
    maxFlushes: 2,
    maxQueued: 10_000,
    maxQueuedPerKey: 2_500,
    maxWaitMs: 5_000,
    overloaded: messageQueueOverloaded,
  });

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly delivery: Delivery,
  ) {}

  /**
   * Adds or removes a reaction of the caller. If it changes nothing, only this connection gets a reply.
   *
   * @throws ChatError `not-found` as for deletion; `blocked` and `friends-only` as for a new message; `forbidden` if
   * the caller is no member of the channel; `too-large` if the message would have too many different emoji;
   * `unavailable`
   */
  async change(change: Omit<Change, 'request'>, request: FrameRequest): Promise<void> {
    await request.backgroundWorkDone();
    const outcome = await this.batcher.add({ ...change, request });
    if (outcome instanceof ChatError) throw outcome;
    if (outcome !== 'stored') request.reply('reactions-changed', outcome);
  }

  private storeAll(changes: readonly Change[]): Map<Change, Promise<Outcome>> {
    const byMessage = new Map<string, Change[]>();
    for (const change of changes) byMessage.set(change.id, [...(byMessage.get(change.id) ?? []), change]);
    const results = new Map<Change, Promise<Outcome>>();
    for (const [id, ofMessage] of byMessage) {
      const outcomes = this.delivery.track(this.storeAndDeliver(id, ofMessage));
      for (const change of ofMessage)
        results.set(
          change,
          outcomes.then((all) => all.get(change) ?? notFound()),
        );
    }
    return results;
  }

  /** @returns the outcomes of changes of one message; none if it does not exist */
  private async storeAndDeliver(id: string, changes: readonly Change[]): Promise<ReadonlyMap<Change, Outcome>> {
    const message = await conversationOfMessage.find(this.pool, { id });
    if (message === undefined) return new Map();
    const { outcomes, entries } = await inTransaction(this.pool, (client) =>
      storeChanges(client, message.conversation_id, id, changes),
    );
    const origins = changes.filter((change) => outcomes.get(change) === 'stored').map(({ request }) => request);
    this.delivery.deliverCommitted(entries, origins);
    return outcomes;
  }
}

async function storeChanges(
  client: ClientBase,
  conversationId: string,
  id: string,
  changes: readonly Change[],
): Promise<Stored> {
  await LockedConversation.lock(client, conversationId, []);
  const message = await seqOfMessage.find(client, { conversationId, id });
  // A concurrent request may have deleted it.
  if (message === undefined) return { outcomes: new Map(), entries: [] };
  const accounts = [...new Set(changes.map(({ request }) => request.account))];
  const errors = await errorsOf(client, conversationId, accounts);
  const reactions = await MessageReactions.read(client, { conversationId, seq: Number(message.seq) }, accounts);
  const results = changes.map((change) => {
    const { emoji, added, request } = change;
    const error = errors.get(request.account);
    return { change, result: error ?? reactions.change({ emoji, account: request.account }, added) };
  });
  const payload = {
    id,
    conversation_id: conversationId,
    reactions: await reactions.store(),
    changes: reactions.changes,
  };
  const outcomes = new Map(
    results.map(({ change, result }): [Change, Outcome] => {
      if (result === 'changed') return [change, 'stored'];
      if (result === 'unchanged') return [change, { ...payload, changes: [] }];
      return [change, result === 'too-many' ? tooManyKinds() : result];
    }),
  );
  if (reactions.changes.length === 0) return { outcomes, entries: [] };
  const event = { type: 'reactions-changed' as const, payload, to: {} };
  return { outcomes, entries: await appendChanges(client, [{ conversationId, events: [event], isQuiet: true }]) };
}

/** Returns why accounts may not react in a conversation; it lacks accounts that may. */
async function errorsOf(
  client: ClientBase,
  conversationId: string,
  accounts: readonly string[],
): Promise<Map<string, ChatError>> {
  const authorizations = await authorizeMessages(
    client,
    accounts.map((sender) => ({ conversationId, sender })),
  );
  const errors = new Map<string, ChatError>();
  for (const [i, account] of accounts.entries()) {
    const authorization = authorizations[i];
    if (authorization === undefined) throw new Error('no authorization for an account');
    if ('error' in authorization) errors.set(account, toChatError(authorization.error));
    else if (authorization.permission.changesConversation && authorization.permission.recipient === null)
      errors.set(account, new ChatError('forbidden', 'only members of the channel may react'));
  }
  return errors;
}

function tooManyKinds(): ChatError {
  return new ChatError('too-large', `a message has at most ${maxReactionKinds} different reactions`);
}
