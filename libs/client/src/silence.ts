export interface SilenceLimits {
  /** After so long without a frame we ask whether anybody is there. */
  silenceMs: number;
  /** So long may the answer take. */
  probeMs: number;
}

/**
 * Notices a connection that is dead though nobody said so: the network has changed, or the machine slept. Pages cannot ping,
 * so what counts is whether any frame came; `probe` is to cause one.
 */
export class SilenceWatch {
  #heardAtMs = Date.now();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isProbing = false;

  constructor(
    private readonly limits: SilenceLimits,
    private readonly handlers: { probe(): void; onDead(): void },
  ) {
    this.#wait(limits.silenceMs);
  }

  /** A frame came. Costs nothing: the timer is looked at when it fires. */
  heard(): void {
    this.#heardAtMs = Date.now();
  }

  /** Asks now. */
  probe(): void {
    this.#isProbing = true;
    this.#heardAtMs = -Infinity;
    this.#wait(this.limits.probeMs);
    this.handlers.probe();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#look();
    }, ms);
  }

  #look(): void {
    const silentMs = Date.now() - this.#heardAtMs;
    if (this.#isProbing && silentMs === Infinity) {
      this.handlers.onDead();
      return;
    }
    this.#isProbing = false;
    if (silentMs < this.limits.silenceMs) this.#wait(this.limits.silenceMs - silentMs);
    else this.probe();
  }
}
