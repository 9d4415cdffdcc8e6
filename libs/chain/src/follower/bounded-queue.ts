/** A queue between one that puts and one that takes; who puts waits while it is full. */
export class BoundedQueue<Item> {
  private readonly items: Item[] = [];
  private isClosed = false;
  /** Wakes who waits for room or for an item: there is never a wait for both. */
  private wake: (() => void) | undefined;

  constructor(private readonly limit: number) {}

  /** Resolves when there is room for the next one. An item that is put when the queue is closed is dropped. */
  async put(item: Item): Promise<void> {
    if (this.isClosed) return;
    this.items.push(item);
    this.wakeUp();
    while (this.isFull()) await this.change();
  }

  /** The next item, as soon as there is one; undefined when the queue is closed and empty. */
  async take(): Promise<Item | undefined> {
    while (this.items.length === 0 && !this.isClosed) await this.change();
    const item = this.items.shift();
    this.wakeUp();
    return item;
  }

  /** No more items come. */
  close(): void {
    this.isClosed = true;
    this.wakeUp();
  }

  private isFull(): boolean {
    return this.items.length >= this.limit && !this.isClosed;
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
