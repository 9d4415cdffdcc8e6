/** Frames that wait until what they change has been fetched. */
export class HeldFrames<Frame> {
  #holders = 0;
  #held: Frame[] = [];

  constructor(private readonly tell: (frame: Frame) => void) {}

  take(frame: Frame): void {
    if (this.#holders === 0) this.tell(frame);
    else this.#held.push(frame);
  }

  /** Holds until the work is done, and a moment longer: whoever waits for the work comes first. */
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
    for (const frame of held) this.take(frame);
  }
}
