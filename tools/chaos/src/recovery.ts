import { isMetWithin } from '@waggle/running/waiting';
import { type LibraryClient } from './clients/library-client';
import { type SendLog } from './send-log';

/** After this the recovery counts as timed out. The run continues, and waits again at its end. */
const timeoutMs = 60_000;

/** How long the recovered state must last: a client may not have noticed its lost connection yet. */
const stableMs = 250;

/** Times until the service recovered; undefined if they exceed the timeout. */
export interface Recovery {
  /** Until a message sent after the beginning was acknowledged. */
  firstAcknowledgmentMs: number | undefined;
  /** Until all clients were connected and all messages pending at the beginning were acknowledged. */
  recoveredMs: number | undefined;
  /** The account or the tag of the message that recovered last. */
  last: string | undefined;
}

/** Measures a recovery, which begins now: the target of the fault is available again, or other instances replace it. */
export async function measureRecovery(
  sendLog: SendLog,
  clients: readonly LibraryClient[],
  signal: AbortSignal,
): Promise<Recovery> {
  const sinceMs = performance.now();
  const pending = sendLog.pending;
  const findMissing = () =>
    clients.find(({ isConnected }) => !isConnected)?.account ??
    pending.find((message) => sendLog.isPending(message))?.message.tag;

  let firstAcknowledgmentMs: number | undefined;
  let recoveredMs: number | undefined;
  let last: string | undefined;
  await isMetWithin(
    () => {
      const passedMs = performance.now() - sinceMs;
      if (firstAcknowledgmentMs === undefined && sendLog.newestAcknowledgedMs >= sinceMs)
        firstAcknowledgmentMs = passedMs;
      const missing = findMissing();
      last = missing ?? last;
      if (missing === undefined) recoveredMs ??= passedMs;
      else recoveredMs = undefined;
      return firstAcknowledgmentMs !== undefined && recoveredMs !== undefined && passedMs - recoveredMs >= stableMs;
    },
    timeoutMs,
    signal,
  );
  return { firstAcknowledgmentMs, recoveredMs, last };
}
