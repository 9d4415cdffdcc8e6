import { SharedBudget } from '@waggle/service';

/**
 * Limits on unsent bytes of clients that read slowly. Beyond the limits in bytes, a connection falls behind; while it
 * is behind, or resumes, `maxStallMs` closes it (4021).
 */
export interface SlowClientLimits {
  /** What all senders together may have unsent on one connection, in bytes, beyond `littleUnsentBytes`. */
  connectionBytes: number;
  /**
   * What all connections of an instance together may have unsent, in bytes, beyond `littleUnsentBytes` each; the
   * accounts share it.
   */
  instanceBytes: number;
  /** For how long the client may read none of its unsent bytes, while it is behind or resumes. */
  maxStallMs: number;
}

/**
 * A connection with at most this many unsent bytes keeps up, and its bytes are not counted. A few hundred messages in
 * one turn of the event loop are fewer.
 */
export const littleUnsentBytes = 64 * 1_024;

/**
 * A connection is closed (4021) if more bytes than this are unsent. Only replies to the client's own frames can reach
 * it: events of others are bounded by `SlowClientLimits`, and what a connection has not received is read one page at a
 * time.
 */
export const maxUnsentReplyBytes = 3 * 1_024 * 1_024;

export const defaultSlowClientLimits: SlowClientLimits = {
  // `SharedBudget` leaves one sender 512 KiB of it: five seconds of all that it may send. A client that reads 200 KB/s
  // gets what others send after five seconds at most.
  connectionBytes: 1_024 * 1_024,
  // One account has at most 32 MiB of it on all its connections.
  instanceBytes: 64 * 1_024 * 1_024,
  // A client that reads nothing for this long is gone, or should reconnect.
  maxStallMs: 15_000,
};

/**
 * Counts what is unsent on one connection, by sender, and with all others of the instance, by the account that reads
 * it.
 */
export class UnsentBytes {
  /** Created on demand, since most connections never need it. */
  private bySender: SharedBudget | undefined;

  /** @param byReader of all connections of the instance */
  constructor(
    private readonly connectionBytes: number,
    private readonly byReader: SharedBudget,
  ) {}

  /**
   * Reserves bytes. @returns a function that releases them; undefined if there is no room, in which case nothing is
   * reserved
   */
  reserve(sender: string, reader: string, bytes: number): (() => void) | undefined {
    const bySender = (this.bySender ??= new SharedBudget(this.connectionBytes));
    if (!bySender.take(sender, bytes)) return undefined;
    if (!this.byReader.take(reader, bytes)) {
      bySender.release(sender, bytes);
      return undefined;
    }
    return () => {
      bySender.release(sender, bytes);
      this.byReader.release(reader, bytes);
    };
  }
}
