import { capability } from '@waggle/contracts';
import { z } from 'zod';

/** An account and its server. Messages have a `client_id` if it requests the capability `client-id`. */
const participant = z.object({ url: z.string(), token: z.string(), capabilities: z.array(capability).optional() });
export type Participant = z.infer<typeof participant>;

/** Two accounts and their dm. */
const pair = z.object({ conversationId: z.string(), to: z.string(), sender: participant, receiver: participant });
export type Pair = z.infer<typeof pair>;

const period = { warmUpMs: z.number(), measuredMs: z.number() };

/** Ids of the processes whose CPU time is measured, by name. */
const processes = z.record(z.string(), z.number()).optional();

/** The sender of each pair keeps `inFlight` messages in flight. A message is complete when both sides receive it. */
const directJob = z.object({
  kind: z.literal('direct'),
  pairs: z.array(pair),
  inFlight: z.number(),
  processes,
  ...period,
});
export type DirectJob = z.infer<typeof directJob>;

/** Messages are sent at fixed times, even if earlier ones are not delivered yet. */
export const latencyJob = z.object({
  kind: z.literal('latency'),
  pairs: z.array(pair),
  offeredPerSecond: z.number(),
  ...period,
});
export type LatencyJob = z.infer<typeof latencyJob>;

/**
 * The first `senders` of the members keep `inFlight` messages each in flight. One is complete when every member
 * receives it.
 */
const groupJob = z.object({
  kind: z.literal('group'),
  conversationId: z.string(),
  members: z.array(participant),
  senders: z.number(),
  inFlight: z.number(),
  processes,
  ...period,
});
export type GroupJob = z.infer<typeof groupJob>;

/** Opens WebSockets of the participants in turn and keeps them open. */
const idleJob = z.object({ kind: z.literal('idle'), participants: z.array(participant), sockets: z.number() });
export type IdleJob = z.infer<typeof idleJob>;

/** Sends GETs one after another, from each list in turn. */
const readsJob = z.object({
  kind: z.literal('reads'),
  url: z.string(),
  accessToken: z.string(),
  /** Lists of paths by name. */
  paths: z.record(z.string(), z.array(z.string())),
  /** Requests of each list that are not measured. */
  warmUp: z.number(),
  /** A text that every response contains so often, or more. */
  expected: z.object({ text: z.string(), times: z.number() }),
});
export type ReadsJob = z.infer<typeof readsJob>;

/**
 * The members are online and change reactions to one message, at fixed times. The first `observers` of them measure
 * when the changes arrive.
 */
const reactionsJob = z.object({
  kind: z.literal('reactions'),
  messageId: z.string(),
  members: z.array(z.object({ username: z.string(), participant })),
  observers: z.number(),
  offeredPerSecond: z.number(),
  ...period,
});
export type ReactionsJob = z.infer<typeof reactionsJob>;

export const job = z.discriminatedUnion('kind', [directJob, latencyJob, groupJob, idleJob, readsJob, reactionsJob]);
export type Job = z.infer<typeof job>;

const failures = {
  /** Messages not delivered within some seconds after the end. */
  undelivered: z.number(),
  /** Messages received twice or not sent. */
  unexpected: z.number(),
  /** The first errors. */
  errors: z.array(z.string()),
};
export type Failures = z.infer<z.ZodObject<typeof failures>>;

/**
 * `busy`: the share of one core that the load generator used; near 1, it is the limit. `cores`: the number of cores
 * that each of the `processes` used.
 */
const counted = { perSecond: z.number(), busy: z.number(), cores: z.record(z.string(), z.number()) };
export type Counted = z.infer<z.ZodObject<typeof counted>>;

export const directResult = z.object({ ...counted, ...failures });
export type DirectResult = z.infer<typeof directResult>;

/** `lateMs`: the 99th percentile of how late messages were sent, which is part of the latency. */
export const latencyResult = z.object({ p50Ms: z.number(), p99Ms: z.number(), lateMs: z.number(), ...failures });
export type LatencyResult = z.infer<typeof latencyResult>;

export const groupResult = z.object({ ...counted, ...failures });
export type GroupResult = z.infer<typeof groupResult>;

export const idleResult = z.object({ open: z.number() });
export type IdleResult = z.infer<typeof idleResult>;

/** The times of responses, by the name of their list. */
export const readsResult = z.record(z.string(), z.object({ p50Ms: z.number(), p95Ms: z.number() }));
export type ReadsResult = z.infer<typeof readsResult>;

/** `bytesPerSecond`: what one member received. */
export const reactionsResult = z.object({
  p50Ms: z.number(),
  p99Ms: z.number(),
  bytesPerSecond: z.number(),
  ...failures,
});
export type ReactionsResult = z.infer<typeof reactionsResult>;
