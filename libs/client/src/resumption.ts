import type { ResumeFailure } from './frames';

/** Why missed events are not delivered. `unsupported`: the service cannot resume connections. */
export type LostReason = ResumeFailure | 'unsupported';

/** How a connection started: as the first one, by resuming the previous one, or without being able to resume. */
export type ConnectionStart = 'first' | 'resumed' | LostReason;

/** Returns why the events since the previous connection are not delivered; undefined if they are, or if there was none. */
export function lostReason(start: ConnectionStart): LostReason | undefined {
  return start === 'first' || start === 'resumed' ? undefined : start;
}
