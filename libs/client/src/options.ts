import { type BackoffBounds, defaultBackoff } from './backoff';
import { type Capability, capabilities } from './frames';
import { defaultOutboxLimits, type OutboxLimits, type OutboxStore } from './outbox';
import type { Session } from './session';
import type { WebSocketConstructor } from './web-socket';

export interface TimeLimits {
  /** From the beginning of a connection to its authentication, and between frames until all that was missed has come. */
  openMs: number;
  /** From a request to its answer; a message without one is sent again. */
  answerMs: number;
  /** After so long without any frame the service is asked for one. */
  silenceMs: number;
  /** After so long without it the connection counts as dead. */
  probeMs: number;
}

export const defaultTimeLimits: TimeLimits = {
  openMs: 10_000,
  // The service gives up a message after 11 s.
  answerMs: 15_000,
  silenceMs: 45_000,
  probeMs: 10_000,
};

export interface ChatOptions {
  session: Session;
  /** What to ask for beyond the documented frames; all by default. */
  capabilities?: readonly Capability[];
  backoff?: Partial<BackoffBounds>;
  timeLimits?: Partial<TimeLimits>;
  outbox?: Partial<OutboxLimits> & {
    /** Keeps unsent messages beyond the life of the process; memory alone by default. */
    store?: OutboxStore;
  };
  /** The largest frame that the service takes, in bytes: 64 KiB unless it is configured otherwise. */
  frameBytes?: number;
  /** Another WebSocket than the platform's. */
  WebSocket?: WebSocketConstructor;
}

const defaultFrameBytes = 64 * 1024;

/** The options with what was left out; what is undefined was left out too. */
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
