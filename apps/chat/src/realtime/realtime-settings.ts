import { type ChatLimits } from '@waggle/contracts';
import { type SlowClientLimits } from './slow-client-limits';

/** The default of `AUTHENTICATION_DEADLINE_SECONDS`, which the API descriptions state. */
export const authenticationDeadlineDefaultSeconds = 10;

export interface RealtimeSettings {
  readonly realtime: { readonly authenticationDeadlineMs: number; readonly slowClients: SlowClientLimits };
  readonly limits: ChatLimits;
}

/** Injects the `RealtimeSettings`. */
export const REALTIME_SETTINGS = Symbol('RealtimeSettings');
