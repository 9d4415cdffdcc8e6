/** Numbers requests over the life of a chat, so that a late reply of a previous connection matches none. */
export class Refs {
  #last = 0;

  next(): number {
    this.#last += 1;
    return this.#last;
  }
}
