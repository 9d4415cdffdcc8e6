import { type LibraryClient } from './clients/library-client';
import { type Ledger } from './ledger';
import { until } from './until';

/** What has not recovered by then is said to have not; the run goes on, and waits for it again at its end. */
const recoveryMostMs = 60_000;

/** Who is connected, and was for so long, has noticed a connection that was lost before. */
const steadyMs = 250;

/** How long it took from a moment; undefined where it did not come to that in time. */
export interface Recovery {
  /** Until a message that was sent after it was acknowledged. */
  firstMs: number | undefined;
  /** Until every client was connected, and every message that waited at its beginning was acknowledged. */
  wholeMs: number | undefined;
  /** What was waited for last: a client, or the mark of a message; undefined where nothing was. */
  last: string | undefined;
}

/** To be called when the service can recover: what a fault has taken from it is there again, or others take its place. */
export async function recovery(
  ledger: Ledger,
  clients: readonly LibraryClient[],
  signal: AbortSignal,
): Promise<Recovery> {
  const sinceMs = performance.now();
  const waited = ledger.waiting;
  const findMissing = () =>
    clients.find(({ isConnected }) => !isConnected)?.account ??
    waited.find((entry) => ledger.isWaiting(entry))?.sending.mark;

  let firstMs: number | undefined;
  let wholeMs: number | undefined;
  let last: string | undefined;
  await until(
    () => {
      const passedMs = performance.now() - sinceMs;
      if (firstMs === undefined && ledger.newestAcknowledgedMs >= sinceMs) firstMs = passedMs;
      const missing = findMissing();
      last = missing ?? last;
      if (missing === undefined) wholeMs ??= passedMs;
      else wholeMs = undefined;
      return firstMs !== undefined && wholeMs !== undefined && passedMs - wholeMs >= steadyMs;
    },
    recoveryMostMs,
    signal,
  );
  return { firstMs, wholeMs, last };
}
