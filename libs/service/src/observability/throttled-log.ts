import { types } from 'node:util';
import { type Logger } from './logging';

/** Bound of the remembered kinds; in practice there are fewer. */
const maxKinds = 100;

/**
 * Logs an event at most once per period and kind: while a dependency is down every request fails in the same way, and
 * one line with the number of omitted ones is enough. By default events are errors, and the kind is their name and
 * code.
 */
export class ThrottledLog<Event = unknown> {
  private readonly kinds = new Map<string, { nextAtMs: number; leftOut: number }>();
  private readonly periodMs: number;
  private readonly kindOf: (event: Event) => string;

  /** @param write `leftOut`: number of events of the kind that were omitted since the last line. */
  constructor(
    private readonly write: (leftOut: number, event: Event) => void,
    options: { periodMs?: number; kindOf?: (event: Event) => string } = {},
  ) {
    this.periodMs = options.periodMs ?? 10_000;
    this.kindOf = options.kindOf ?? kindOfError;
  }

  /** Logs errors with the text, at level `error`. */
  static errors(logger: Logger, text: string): ThrottledLog {
    return new ThrottledLog((leftOut, err) => {
      logger.error({ err, leftOut }, text);
    });
  }

  /** Logs errors with the text, at level `warn`. */
  static warnings(logger: Logger, text: string): ThrottledLog {
    return new ThrottledLog((leftOut, err) => {
      logger.warn({ err, leftOut }, text);
    });
  }

  log(event: Event, nowMs = performance.now()): void {
    const kind = this.kindOf(event);
    const { nextAtMs, leftOut } = this.kinds.get(kind) ?? { nextAtMs: -Infinity, leftOut: 0 };
    if (nowMs < nextAtMs) {
      this.kinds.set(kind, { nextAtMs, leftOut: leftOut + 1 });
      return;
    }
    if (this.kinds.size >= maxKinds && !this.kinds.has(kind)) this.kinds.clear();
    this.kinds.set(kind, { nextAtMs: nowMs + this.periodMs, leftOut: 0 });
    this.write(leftOut, event);
  }
}

/** Name and code of an error and its causes; not the message, which may differ each time. */
export function kindOfError(error: unknown): string {
  if (!types.isNativeError(error)) return typeof error;
  const code = 'code' in error ? String(error.code) : '';
  return `${error.name} ${code} ${error.cause === undefined ? '' : kindOfError(error.cause)}`;
}
