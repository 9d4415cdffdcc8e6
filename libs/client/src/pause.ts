/** A wait that can be cut short. */
export class Pause {
  #end: () => void = () => undefined;

  /** Waits so long, or until it is skipped. */
  async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Ends the wait, where there is one. */
  skip(): void {
    this.#end();
  }
}
