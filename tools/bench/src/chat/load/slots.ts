/**
 * Keeps a constant number of messages in flight, one in each slot. When every receiver has a message, the next one of
 * its slot is sent. The number of a message modulo the number of slots is its slot.
 */
export class Slots {
  /** Messages that every receiver has. */
  completed = 0;
  /** Copies of messages that receivers have. */
  copies = 0;
  /** Repeated copies, and copies of completed or unsent messages. */
  unexpected = 0;
  /** Messages that some receiver lacks. */
  inFlight: number;
  private isEnding = false;
  /** For each slot: the number of its message, and how many receivers have it. */
  private readonly current: Float64Array;
  private readonly receivedCount: Int32Array;
  /** For each receiver and slot: the last received message. */
  private readonly last: Float64Array;

  /**
   * @param count the number of slots
   * @param receivers the number of receivers of each message, including the sender
   */
  constructor(
    private readonly count: number,
    private readonly receivers: number,
    private readonly send: (slot: number, number: number) => void,
  ) {
    this.inFlight = count;
    this.current = Float64Array.from({ length: count }, (_, slot) => slot);
    this.receivedCount = new Int32Array(count);
    this.last = new Float64Array(receivers * count).fill(-1);
  }

  /** Sends the first message of each slot. */
  begin(): void {
    for (let slot = 0; slot < this.count; slot += 1) this.send(slot, slot);
  }

  /** Sends no further messages. */
  end(): void {
    this.isEnding = true;
  }

  received(receiver: number, number: number): void {
    const slot = number % this.count;
    const index = receiver * this.count + slot;
    if (number !== this.current[slot] || number === this.last[index]) {
      this.unexpected += 1;
      return;
    }
    this.last[index] = number;
    this.copies += 1;
    const receivedCount = (this.receivedCount[slot] ?? 0) + 1;
    this.receivedCount[slot] = receivedCount;
    if (receivedCount === this.receivers) this.complete(slot, number);
  }

  private complete(slot: number, number: number): void {
    this.completed += 1;
    this.receivedCount[slot] = 0;
    this.current[slot] = number + this.count;
    if (this.isEnding) this.inFlight -= 1;
    else this.send(slot, number + this.count);
  }
}
