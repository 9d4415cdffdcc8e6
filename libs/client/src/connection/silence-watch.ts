export interface SilenceLimits {
  /** A connection without a frame for this long is probed. */
  silenceMs: number;
  /** A connection without a frame for this long after a probe is dead: noticed after `silenceMs + probeMs`. */
  probeMs: number;
}

export const defaultSilenceLimits: SilenceLimits = { silenceMs: 45_000, probeMs: 10_000 };

/**
 * Detects a dead connection that was never closed, as after a change of the network or a suspended machine. Pages
 * cannot send pings, so `probe` makes the service send a frame, and any frame counts.
 */
export class SilenceWatch {
  /** By the monotonic clock; `-Infinity` while a probe is unanswered. */
  #lastFrameAtMs = performance.now();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly limits: SilenceLimits,
    private readonly handlers: { probe(): void; onDead(): void },
  ) {
    this.#checkIn(limits.silenceMs);
  }

  /** Records a frame. Cheap: it does not restart the timer. */
  onFrame(): void {
    this.#lastFrameAtMs = performance.now();
  }

  /** Probes now, unless a probe is unanswered. */
  probe(): void {
    if (this.#lastFrameAtMs === -Infinity) return;
    this.#lastFrameAtMs = -Infinity;
    this.#checkIn(this.limits.probeMs);
    this.handlers.probe();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #checkIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#check();
    }, ms);
  }

  #check(): void {
    const silentMs = performance.now() - this.#lastFrameAtMs;
    if (silentMs === Infinity) this.handlers.onDead();
    else if (silentMs < this.limits.silenceMs) this.#checkIn(this.limits.silenceMs - silentMs);
    else this.probe();
  }
}
