import { type ChatOptions } from '@waggle/client';

type Patience = Pick<ChatOptions, 'backoff' | 'timeLimits' | 'outbox'>;

/** A run that goes on for minutes has no time for pauses of half a minute. */
const backoff = { firstMs: 100, maxMs: 3_000, resetAfterMs: 5_000 };

/** The library's own time limits, and ones so short that what is only slow is often taken for lost. */
const patient: Patience = { backoff };
const impatient: Patience = {
  backoff,
  timeLimits: { openMs: 3_000, answerMs: 2_500, silenceMs: 3_000, probeMs: 1_500 },
};

/** Every other client is impatient. */
export function patienceOf(index: number): Patience {
  return index % 2 === 0 ? patient : impatient;
}
