import { z } from 'zod';

/** A message as somebody heard it. */
const heardMessage = z.object({
  conversationId: z.string(),
  /** Its place; null on a connection that has not asked for places. */
  seq: z.number().nullable(),
  id: z.string(),
  /** The first word of its text, which no other message has. */
  mark: z.string(),
  timestamp: z.string(),
});
export type HeardMessage = z.infer<typeof heardMessage>;

/** All that one hearer heard, in the order in which it did. */
const hearing = z.object({
  /**
   * `client`: over its whole life, whatever became of its connections. `connection`: on one connection, which begins and
   * ends somewhere.
   */
  kind: z.enum(['client', 'connection']),
  who: z.string(),
  account: z.string(),
  heard: z.array(heardMessage),
  /** When the service ended the connection, or the network, by the monotonic clock; not where it lasted as long as the run. */
  endedAtMs: z.number().optional(),
});
export type Hearing = z.infer<typeof hearing>;

/** A message that was sent, and what its sender was told of it in the end. */
const sending = z.object({
  mark: z.string(),
  sender: z.string(),
  /** Null where it was to begin a conversation. */
  conversationId: z.string().nullable(),
  outcome: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('waiting') }),
    z.object({
      kind: z.literal('acknowledged'),
      conversationId: z.string(),
      seq: z.number().nullable(),
      id: z.string(),
    }),
    /** It is not stored and will not be. */
    z.object({ kind: z.literal('refused'), code: z.string() }),
    /** It may be stored or not. */
    z.object({ kind: z.literal('unknown'), why: z.string() }),
  ]),
});
export type Sending = z.infer<typeof sending>;

const storedMessage = z.object({
  seq: z.number(),
  id: z.string(),
  mark: z.string(),
  sender: z.string(),
  timestamp: z.string(),
});
export type StoredMessage = z.infer<typeof storedMessage>;

/** A conversation as the database holds it. */
const storedConversation = z.object({
  id: z.string(),
  kind: z.string(),
  /** The accounts that hear it. */
  hearers: z.array(z.string()),
  /** What lies at or before this place was there before anything was watched: nobody need have heard of it. */
  afterSeq: z.number(),
  /** In the order of their places. */
  messages: z.array(storedMessage),
});
export type StoredConversation = z.infer<typeof storedConversation>;

/** A message that was committed, and that the database which has taken over since then lacks. */
const lostMessage = z.object({
  id: z.string(),
  mark: z.string(),
  /** When the other database took over, by the monotonic clock. */
  atMs: z.number(),
});
export type LostMessage = z.infer<typeof lostMessage>;

/** All that was seen of a run, from three sides. */
export const observation = z.object({
  conversations: z.array(storedConversation),
  /** In the order in which they were sent. */
  sendings: z.array(sending),
  hearings: z.array(hearing),
  /** What failovers to a standby that lagged have lost, though it may have been acknowledged and heard. */
  lost: z.array(lostMessage),
});
export type Observation = z.infer<typeof observation>;
