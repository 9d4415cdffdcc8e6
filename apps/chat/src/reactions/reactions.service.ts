import { Inject, Injectable } from '@nestjs/common';
import { maxReactionKinds, type ClientPayload, type ServerPayload } from '@waggle/contracts';
import { Batcher, inTransaction, POOL, rejected } from '@waggle/service';
import { type ClientBase, type Pool } from 'pg';
import { Delivery } from '../delivery/delivery';
import { ChatError, messageQueueOverloaded, notFound } from '../errors';
import { appendEntries, takeNextSeq } from '../log/append-changes';
import { conversationOfMessage } from '../log/conversation-of-message';
import { type ChangeEntry } from '../log/entry';
import { LockedConversation } from '../membership/locked-conversation';
import { authorizeMessages, toChatError } from '../messages/authorize-messages';
import { groupBy } from '../portions';
import { type FrameRequest } from '../realtime/frame-request';
import { ReactionChangeset } from './reaction-changeset';
import { seqOfMessage } from './reactions.statements';

/** A request to add or remove a reaction. */
interface ReactionRequest extends ClientPayload<'add-reaction'> {
  conversationId: string;
  added: boolean;
  request: FrameRequest;
}

/** How a request ended: with an entry, whose delivery is the reply; with nothing to store; or with an error. */
type Outcome = 'stored' | ServerPayload<'reactions-changed'> | ChatError;
type Outcomes = Map<ReactionRequest, Outcome>;

/** Maximum number of concurrent transactions, so that reactions leave database connections to others. */
const maxTransactions = 2;

/**
 * Changes reactions. Requests that arrive while a transaction of their conversation runs are stored in the next one,
 * with one entry for each message, so that a message with many reactions does not flood its conversation.
 */
@Injectable()
export class ReactionsService {
  private readonly batcher = new Batcher<ReactionRequest, Outcome>({
    keyOf: ({ conversationId }) => conversationId,
    flush: (requests) => this.flush(requests),
    maxItems: 500,
    maxFlushes: maxTransactions,
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
  async change(payload: ClientPayload<'add-reaction'>, added: boolean, request: FrameRequest): Promise<void> {
    await request.backgroundWorkDone();
    const message = await conversationOfMessage.find(this.pool, { id: payload.id });
    if (message === undefined) throw notFound();
    const stored = this.batcher.add({ ...payload, conversationId: message.conversation_id, added, request });
    const outcome = await this.delivery.track(stored);
    if (outcome instanceof ChatError) throw outcome;
    if (outcome !== 'stored') request.reply('reactions-changed', outcome);
  }

  /** Never rejects: if a transaction fails, the results of its requests are rejected promises. */
  private async flush(requests: readonly ReactionRequest[]): Promise<Map<ReactionRequest, Outcome | Promise<Outcome>>> {
    const results = new Map<ReactionRequest, Outcome | Promise<Outcome>>();
    for (const ofConversation of groupBy(requests, ({ conversationId }) => conversationId).values()) {
      try {
        for (const [request, outcome] of await this.store(ofConversation)) results.set(request, outcome);
      } catch (error) {
        for (const request of ofConversation) results.set(request, rejected(error));
      }
    }
    return results;
  }

  /** Stores requests of one conversation and delivers their entries. */
  private async store(requests: readonly ReactionRequest[]): Promise<Outcomes> {
    const stored = await inTransaction(this.pool, (client) => storeRequests(client, requests));
    for (const [entry, origins] of stored.entries) this.delivery.deliverCommitted([entry], origins);
    return stored.outcomes;
  }
}

/** The outcomes of requests, and the entries with the requests that each replies to. */
interface StoreResult {
  outcomes: Outcomes;
  entries: Map<ChangeEntry, FrameRequest[]>;
}

/** Stores requests of one conversation, with one entry for each message that they change. */
async function storeRequests(client: ClientBase, requests: readonly ReactionRequest[]): Promise<StoreResult> {
  const result: StoreResult = { outcomes: new Map(), entries: new Map() };
  const conversationId = requests[0]?.conversationId ?? '';
  await LockedConversation.lock(client, conversationId, []);
  const errors = await errorsOf(client, conversationId, [...new Set(requests.map(({ request }) => request.account))]);
  for (const request of requests) {
    const error = errors.get(request.request.account);
    if (error !== undefined) result.outcomes.set(request, error);
  }
  const allowed = requests.filter((request) => !result.outcomes.has(request));
  for (const ofMessage of groupBy(allowed, ({ id }) => id).values()) await storeMessage(client, ofMessage, result);
  await appendEntries(client, [...result.entries.keys()]);
  return result;
}

/** Stores requests of one message, and adds their outcomes and the entry to the result. */
async function storeMessage(
  client: ClientBase,
  requests: readonly ReactionRequest[],
  { outcomes, entries }: StoreResult,
): Promise<void> {
  const { id = '', conversationId = '' } = requests[0] ?? {};
  const message = await seqOfMessage.find(client, { conversationId, id });
  // A concurrent request may have deleted it.
  if (message === undefined) {
    for (const request of requests) outcomes.set(request, notFound());
    return;
  }
  const accounts = [...new Set(requests.map(({ request }) => request.account))];
  const changeset = await ReactionChangeset.read(client, { id, conversationId, seq: Number(message.seq) }, accounts);
  const origins: FrameRequest[] = [];
  const unchanged: ReactionRequest[] = [];
  for (const each of requests) {
    const { emoji, added, request } = each;
    const result = changeset.change({ emoji, account: request.account }, added);
    if (result === 'too-many') outcomes.set(each, tooManyKinds());
    else if (result === 'unchanged') unchanged.push(each);
    else {
      outcomes.set(each, 'stored');
      origins.push(request);
    }
  }
  const payload = await changeset.store();
  for (const each of unchanged) outcomes.set(each, { ...payload, changes: [] });
  if (payload.changes.length === 0) return;
  const seq = await takeNextSeq(client, conversationId, { isQuiet: true });
  const event = { type: 'reactions-changed' as const, payload, to: {} };
  entries.set({ stream: conversationId, seq, events: [event], joins: [], leaves: [], subscriptions: [] }, origins);
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
