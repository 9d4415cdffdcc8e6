/** Time after which a node that lacks an API is tried again, in milliseconds. */
const lackingMs = 600_000;

/**
 * Minimum time between two checks of an API, in milliseconds: callers decide how often a path is missing. Shorter than
 * `lackingMs`, so that an API that is only out of order for now is soon in use again.
 */
const checkIntervalMs = 60_000;

interface Checked {
  readonly startedMs: number;
  lacks: boolean;
}

/** Remembers which APIs a node lacks. All times are of one monotonic clock. */
export class LackingApis {
  private readonly checked = new Map<string, Checked>();

  lacks(api: string, nowMs: number): boolean {
    const checked = this.checked.get(api);
    return checked !== undefined && checked.lacks && nowMs - checked.startedMs < lackingMs;
  }

  /** @returns whether the API is to be checked now; the check ends with `record` */
  startCheck(api: string, nowMs: number): boolean {
    const last = this.checked.get(api);
    if (last !== undefined && nowMs - last.startedMs < checkIntervalMs) return false;
    this.checked.set(api, { startedMs: nowMs, lacks: last?.lacks ?? false });
    return true;
  }

  record(api: string, lacks: boolean): void {
    const checked = this.checked.get(api);
    if (checked !== undefined) checked.lacks = lacks;
  }
}
