/** A queue between one producer, which waits while it is full, and one consumer. */
export class BoundedQueue<Item> {
  private readonly items: Item[] = [];
  private isClosed = false;
  private error: Error | undefined;
  /** Wakes the one that waits for room or for an item; the two never wait at the same time. */
  private wake: (() => void) | undefined;

  /** @param isFull whether these items leave no room for another one */
  constructor(private readonly isFull: (items: readonly Item[]) => boolean) {}

  /**
   * Adds an item at once, and resolves when there is room for the next one.
   *
   * @returns false if the queue is closed; an item that is put into a closed queue is dropped
   */
  async put(item: Item): Promise<boolean> {
    if (this.isClosed) return false;
    this.items.push(item);
    this.wakeUp();
    while (this.hasNoRoom()) await this.change();
    return !this.isClosed;
  }

  /**
   * Returns the next item as soon as there is one; undefined if the queue is closed and empty.
   *
   * @throws the error that `close` was given, after the last item
   */
  async take(): Promise<Item | undefined> {
    while (this.items.length === 0 && !this.isClosed) await this.change();
    const item = this.items.shift();
    this.wakeUp();
    if (item === undefined && this.error !== undefined) throw this.error;
    return item;
  }

  /** Takes the next item if one is queued and passes. */
  takeIf(passes: (item: Item) => boolean): Item | undefined {
    const [item] = this.items;
    if (item === undefined || !passes(item)) return undefined;
    this.items.shift();
    this.wakeUp();
    return item;
  }

  /** Ends the queue; items in it can still be taken. Does nothing if it is closed already. */
  close(error?: Error): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.error = error;
    this.wakeUp();
  }

  private hasNoRoom(): boolean {
    return !this.isClosed && this.isFull(this.items);
  }

  private change(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private wakeUp(): void {
    this.wake?.();
    this.wake = undefined;
  }
}
