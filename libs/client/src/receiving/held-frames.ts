/** Delays frames while the state that they change is being fetched. */
export class HeldFrames<Frame> {
  #holders = 0;
  #held: Frame[] = [];

  constructor(private readonly deliver: (frame: Frame) => void) {}

  add(frame: Frame): void {
    if (this.#holders === 0) this.deliver(frame);
    else this.#held.push(frame);
  }

  /** Holds frames until the work is done and the code that awaits it has run. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#holders += 1;
    try {
      return await work();
    } finally {
      setTimeout(() => {
        this.#release();
      }, 0);
    }
  }

  #release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    const held = this.#held;
    this.#held = [];
    for (const frame of held) this.add(frame);
  }
}
