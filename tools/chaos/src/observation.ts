import { z } from 'zod';

/** A message as a client received it. */
const receivedMessage = z.object({
  conversationId: z.string(),
  /** Null on a connection without the `sync` capability. */
  seq: z.number().nullable(),
  id: z.string(),
  /** The first word of the text, which is unique to the message. */
  tag: z.string(),
  timestamp: z.string(),
});
export type ReceivedMessage = z.infer<typeof receivedMessage>;

const receiver = z.object({
  /**
   * `client`: a client of the library, across its connections. `connection`: a single connection without the library.
   */
  kind: z.enum(['client', 'connection']),
  name: z.string(),
  account: z.string(),
  /** In the order of receipt. */
  received: z.array(receivedMessage),
  /** When the connection was lost, by the monotonic clock; undefined if it lasted until the end of the run. */
  endedAtMs: z.number().optional(),
});
export type Receiver = z.infer<typeof receiver>;

const sentMessage = z.object({
  tag: z.string(),
  sender: z.string(),
  /** Null if the message creates a conversation. */
  conversationId: z.string().nullable(),
  result: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('pending') }),
    z.object({
      kind: z.literal('acknowledged'),
      conversationId: z.string(),
      seq: z.number().nullable(),
      id: z.string(),
    }),
    /** Not stored, now or later. */
    z.object({ kind: z.literal('rejected'), code: z.string() }),
    /** It may be stored or not. */
    z.object({ kind: z.literal('unknown'), reason: z.string() }),
  ]),
});
export type SentMessage = z.infer<typeof sentMessage>;

const storedMessage = z.object({
  seq: z.number(),
  id: z.string(),
  tag: z.string(),
  sender: z.string(),
  timestamp: z.string(),
});
export type StoredMessage = z.infer<typeof storedMessage>;

const storedConversation = z.object({
  id: z.string(),
  kind: z.string(),
  /** The accounts of members and followers. */
  subscribers: z.array(z.string()),
  /** Only messages after this sequence number are checked: those before were written while the clients connected. */
  startSeq: z.number(),
  /** Ordered by `seq`. */
  messages: z.array(storedMessage),
});
export type StoredConversation = z.infer<typeof storedConversation>;

/** A message that was committed and is missing from the promoted database. */
const lostMessage = z.object({
  id: z.string(),
  tag: z.string(),
  /** When the promoted standby became the primary, by the monotonic clock. */
  replacedAtMs: z.number(),
});
export type LostMessage = z.infer<typeof lostMessage>;

/** Everything that a run recorded. */
export const observation = z.object({
  conversations: z.array(storedConversation),
  /** In the order of sending. */
  sentMessages: z.array(sentMessage),
  receivers: z.array(receiver),
  /** What failovers to an asynchronous standby lost; it may be acknowledged and received. */
  lost: z.array(lostMessage),
});
export type Observation = z.infer<typeof observation>;

/** Returns the tag of a message, the first word of its text. */
export function tagOf(text: string): string {
  const [tag = ''] = text.split(' ', 1);
  return tag;
}
