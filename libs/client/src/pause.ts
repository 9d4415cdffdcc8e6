/** A pause that can be cut short. */
export class Pause {
  #end: () => void = () => undefined;

  async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Ends the pause, if there is one. */
  skip(): void {
    this.#end();
  }
}
