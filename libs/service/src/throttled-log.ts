import { types } from 'node:util';

/** So many kinds are told apart; there are not that many. */
const maxKinds = 100;

/**
 * Says a repeated thing once per period and kind: while a dependency is down every request fails the same way, and one
 * line with the count of those left out says as much as ten thousand. One kind does not hide another. What is said is an
 * error, and its kind name and code, unless `kindOf` says otherwise.
 */
export class ThrottledLog<Event = unknown> {
  private readonly kinds = new Map<string, { nextAtMs: number; leftOut: number }>();
  private readonly periodMs: number;
  private readonly kindOf: (event: Event) => string;

  /** @param write `leftOut`: how many of the kind were not written since the one before. */
  constructor(
    private readonly write: (leftOut: number, event: Event) => void,
    options: { periodMs?: number; kindOf?: (event: Event) => string } = {},
  ) {
    this.periodMs = options.periodMs ?? 10_000;
    this.kindOf = options.kindOf ?? kindOfError;
  }

  log(event: Event, nowMs = performance.now()) {
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

/** Name and code of an error and of what caused it; not its message, which may differ from one to the next. */
export function kindOfError(error: unknown): string {
  if (!types.isNativeError(error)) return typeof error;
  const code = 'code' in error ? String(error.code) : '';
  return `${error.name} ${code} ${error.cause === undefined ? '' : kindOfError(error.cause)}`;
}
