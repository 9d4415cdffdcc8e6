import type { Session } from './api/session';
import { type BackoffOptions, defaultBackoff } from './backoff';
import type { WebSocketConstructor } from './connection/frame-socket';
import { defaultSilenceLimits, type SilenceLimits } from './connection/silence-watch';
import { type Capability, capabilities } from './protocol/contract';
import { defaultOutboxLimits, type OutboxLimits, type OutboxStore } from './sending/outbox';

export interface TimeLimits extends SilenceLimits {
  /** From the start of a connection to its authentication, and between frames until all missed frames arrive. */
  openMs: number;
  /** From a request to its reply; a message without one is sent again. */
  responseMs: number;
}

export const defaultTimeLimits: TimeLimits = {
  openMs: 10_000,
  // The service gives up a message after 11 s.
  responseMs: 15_000,
  ...defaultSilenceLimits,
};

export interface ChatOptions {
  session: Session;
  /** The extensions to request; all by default. */
  capabilities?: readonly Capability[];
  backoff?: Partial<BackoffOptions>;
  timeLimits?: Partial<TimeLimits>;
  outbox?: Partial<OutboxLimits> & {
    /** Saves unsent messages beyond the life of the process; by default they are in memory only. */
    store?: OutboxStore;
  };
  /** The largest frame that the service accepts (its `FRAME_MAX_BYTES`), in bytes; 64 KiB by default. */
  frameBytes?: number;
  /** Replaces the WebSocket of the platform. */
  WebSocket?: WebSocketConstructor;
}

const defaultFrameBytes = 64 * 1024;

/** Adds defaults for options that are absent or undefined. */
export function completed(options: ChatOptions) {
  return {
    session: options.session,
    capabilities: options.capabilities ?? capabilities,
    frameBytes: options.frameBytes ?? defaultFrameBytes,
    backoff: withDefaults(options.backoff, defaultBackoff),
    timeLimits: withDefaults(options.timeLimits, defaultTimeLimits),
    outbox: { ...withDefaults(options.outbox, defaultOutboxLimits), store: options.outbox?.store },
  };
}

function withDefaults<T extends object>(given: Partial<T> | undefined, defaults: T): T {
  const all = { ...defaults };
  for (const name in defaults) {
    const value = given?.[name];
    if (value !== undefined) all[name] = value;
  }
  return all;
}
