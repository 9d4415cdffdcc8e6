/**
 * Messages under way. Each slot has one: when every receiver has it, the slot's next one is sent. A message's number says
 * which slot it is of, and which of the slot's messages.
 */
export class Slots {
  /** Messages that every receiver has. */
  completed = 0;
  /** Messages of which every receiver took note of its own copy. */
  copies = 0;
  /** Copies that came twice, or of a message that nobody waited for. */
  unexpected = 0;
  #isEnding = false;
  #waiting: number;
  /** Of each slot: the number of its message, and how many receivers have it. */
  readonly #current: Float64Array;
  readonly #arrived: Int32Array;
  /** Of each receiver and slot: the last message. */
  readonly #last: Float64Array;

  /**
   * @param count of slots
   * @param receivers of each message, its sender included
   */
  constructor(
    private readonly count: number,
    private readonly receivers: number,
    private readonly send: (slot: number, number: number) => void,
  ) {
    this.#waiting = count;
    this.#current = Float64Array.from({ length: count }, (_, slot) => slot);
    this.#arrived = new Int32Array(count);
    this.#last = new Float64Array(receivers * count).fill(-1);
  }

  /** Messages that not every receiver has. */
  get underWay(): number {
    return this.#waiting;
  }

  /** Sends the first message of each slot. */
  begin(): void {
    for (let slot = 0; slot < this.count; slot += 1) this.send(slot, slot);
  }

  /** Sends nothing any more. */
  end(): void {
    this.#isEnding = true;
  }

  arrived(receiver: number, number: number): void {
    const slot = number % this.count;
    const place = receiver * this.count + slot;
    if (number !== this.#current[slot] || number === this.#last[place]) {
      this.unexpected += 1;
      return;
    }
    this.#last[place] = number;
    this.copies += 1;
    const arrived = (this.#arrived[slot] ?? 0) + 1;
    this.#arrived[slot] = arrived;
    if (arrived === this.receivers) this.#complete(slot, number);
  }

  #complete(slot: number, number: number): void {
    this.completed += 1;
    this.#arrived[slot] = 0;
    this.#current[slot] = number + this.count;
    if (this.#isEnding) this.#waiting -= 1;
    else this.send(slot, number + this.count);
  }
}
