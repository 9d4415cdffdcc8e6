import { capability } from '@waggle/contracts';
import { z } from 'zod';

/** Where and as whom a WebSocket is opened, and what it asks for; messages are marked where it asks for `client-id`. */
const seat = z.object({ url: z.string(), token: z.string(), capabilities: z.array(capability).optional() });
export type Seat = z.infer<typeof seat>;

/** Two accounts and their dm. */
const pair = z.object({ conversationId: z.string(), to: z.string(), sender: seat, receiver: seat });
export type Pair = z.infer<typeof pair>;

const period = { warmUpMs: z.number(), measuredMs: z.number() };

/** Ids of the processes whose CPU time is measured, by name. */
const processes = z.record(z.string(), z.number()).optional();

/** Each pair's sender keeps so many messages under way, and sends the next one when both sides have one of them. */
const directJob = z.object({
  kind: z.literal('direct'),
  pairs: z.array(pair),
  inFlight: z.number(),
  processes,
  ...period,
});
export type DirectJob = z.infer<typeof directJob>;

/** Messages go out at fixed times, whatever has become of those before. */
export const latencyJob = z.object({
  kind: z.literal('latency'),
  pairs: z.array(pair),
  offeredPerSecond: z.number(),
  ...period,
});
export type LatencyJob = z.infer<typeof latencyJob>;

/** The first `senders` of the members keep so many messages each under way; one is done when every member has it. */
const groupJob = z.object({
  kind: z.literal('group'),
  conversationId: z.string(),
  members: z.array(seat),
  senders: z.number(),
  inFlight: z.number(),
  processes,
  ...period,
});
export type GroupJob = z.infer<typeof groupJob>;

/** Opens so many WebSockets, over the seats in turn, and keeps them. */
const idleJob = z.object({ kind: z.literal('idle'), seats: z.array(seat), sockets: z.number() });
export type IdleJob = z.infer<typeof idleJob>;

/** Reads pages of 50 before random moments, of each conversation in turn. */
const historyJob = z.object({
  kind: z.literal('history'),
  url: z.string(),
  accessToken: z.string(),
  /** Messages lie between the two times, in milliseconds. */
  conversations: z.record(z.string(), z.object({ id: z.string(), fromMs: z.number(), toMs: z.number() })),
  pages: z.number(),
});
export type HistoryJob = z.infer<typeof historyJob>;

/** What a load generator is told. */
export const job = z.discriminatedUnion('kind', [directJob, latencyJob, groupJob, idleJob, historyJob]);
export type Job = z.infer<typeof job>;

/** What became of the messages of a load besides what it is about. */
const faults = {
  /** Sent, and not where they belong some seconds after the end. */
  undelivered: z.number(),
  /** Came twice, or were no longer waited for. */
  unexpected: z.number(),
  /** The first of the error frames. */
  refusals: z.array(z.string()),
};
export type Faults = z.infer<z.ZodObject<typeof faults>>;

/**
 * `busy`: the share of one core that the load generator took while it measured; near 1 it is what limits. `cores`: the
 * number of cores that each of the processes of the job took.
 */
const counted = { perSecond: z.number(), busy: z.number(), cores: z.record(z.string(), z.number()) };
export type Counted = z.infer<z.ZodObject<typeof counted>>;

export const directResult = z.object({ ...counted, ...faults });
export type DirectResult = z.infer<typeof directResult>;

/** `lateMs`: how long after its time a message was sent, the 99th percentile; it is part of the latency. */
export const latencyResult = z.object({ p50Ms: z.number(), p99Ms: z.number(), lateMs: z.number(), ...faults });
export type LatencyResult = z.infer<typeof latencyResult>;

export const groupResult = z.object({ ...counted, ...faults });
export type GroupResult = z.infer<typeof groupResult>;

export const idleResult = z.object({ open: z.number() });
export type IdleResult = z.infer<typeof idleResult>;

/** Median milliseconds of a page, by the name of the conversation. */
export const historyResult = z.object({ pageMs: z.record(z.string(), z.number()) });
export type HistoryResult = z.infer<typeof historyResult>;
