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
  isDeleted: z.boolean(),
  /** The accounts that its text and the message that it replies to mention. */
  expectedMentions: z.array(z.string()),
  /** The stored mentions: an account, and the sequence number from which on it is unread. */
  mentions: z.array(z.object({ account: z.string(), seq: z.number() })),
  /** The texts after edits, by revision from 1 on. */
  edits: z.array(z.string()),
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

/** A change of a message, or of what an account sets for a conversation. */
const change = z.object({
  account: z.string(),
  messageId: z.string(),
  /** What it changes, as in `Observation.values`, or `text <id>`. */
  key: z.string(),
  /** `raise` and `lower` move a read position only in one direction. */
  effect: z.enum(['set', 'raise', 'lower', 'edit']),
  value: z.number(),
  /** Of an edit: unique. */
  text: z.string(),
  /** `unknown`: it may have taken effect, or do so later. */
  result: z.enum(['confirmed', 'rejected', 'unknown']),
  /** Of a confirmed edit. */
  revision: z.number(),
  /** Whether the connection was lost before the result: a repeated request may take effect again later. */
  mayRepeat: z.boolean(),
  sentAtMs: z.number(),
  endedAtMs: z.number(),
});
export type Change = z.infer<typeof change>;

/** What a device shows, by conversation: texts by key, such as `unread` or `reactions <message id>`. */
const shown = z.record(z.string(), z.record(z.string(), z.string()));
export type Shown = z.infer<typeof shown>;

const deviceState = z.object({
  account: z.string(),
  /** What it fetched once and events changed. */
  shown,
  /** The same, fetched at the end. */
  fetched: shown,
});
export type DeviceState = z.infer<typeof deviceState>;

/** Numbers by key: `read` positions, and 1 for what is set, such as a reaction of an account. Others are 0. */
const values = z.record(z.string(), z.number());
export type Values = z.infer<typeof values>;

/** Everything that a run recorded. */
export const observation = z.object({
  conversations: z.array(storedConversation),
  /** In the order of sending. */
  sentMessages: z.array(sentMessage),
  receivers: z.array(receiver),
  /** What failovers to an asynchronous standby lost; it may be acknowledged and received. */
  lost: z.array(lostMessage),
  changes: z.array(change),
  /** Failovers to an asynchronous standby lose what is committed in these periods. */
  lossPeriods: z.array(z.object({ sinceMs: z.number(), untilMs: z.number() })),
  /** Before the first change, and at the end. */
  initialValues: values,
  values,
  devices: z.array(deviceState),
});
export type Observation = z.infer<typeof observation>;

/** What a run without changes records of them. */
export const noChanges: Pick<Observation, 'changes' | 'lossPeriods' | 'initialValues' | 'values' | 'devices'> = {
  changes: [],
  lossPeriods: [],
  initialValues: {},
  values: {},
  devices: [],
};

/** Returns the tag of a message, the first word of its text. */
export function tagOf(text: string): string {
  const [tag = ''] = text.split(' ', 1);
  return tag;
}
