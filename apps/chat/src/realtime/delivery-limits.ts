/** What may be unsent to clients that read slowly, and for how long. */
export interface DeliveryLimits {
  /** What all senders together may have unsent on one connection, in bytes, beyond `littleUnsentBytes`. */
  connectionBytes: number;
  /** What all connections of an instance together may have unsent, in bytes, beyond `littleUnsentBytes` each; the accounts share it. */
  instanceBytes: number;
  /** A connection is closed if the client takes none of what is unsent for so long. */
  maxStallMs: number;
}

/**
 * With no more unsent a connection keeps up: nothing is counted. More than what is written to a connection in one turn of the event
 * loop when it gets a few hundred messages.
 */
export const littleUnsentBytes = 64 * 1_024;

/**
 * One sender alone has 512 KiB on a connection: five seconds of all that it may send. A client that reads 200 KB/s gets what others
 * send after five seconds at most.
 */
const connectionBytes = 1_024 * 1_024;

/** One account alone has 32 MiB of it on all its connections. */
const instanceBytes = 64 * 1_024 * 1_024;

/** A client that reads nothing for so long is gone, or had better come back. */
const maxStallMs = 15_000;

export const defaultDeliveryLimits: DeliveryLimits = { connectionBytes, instanceBytes, maxStallMs };
