/** Numbers our frames, for the life of a chat: answers to frames of a former connection are nobody's. */
export class Refs {
  #last = 0;

  next(): number {
    this.#last += 1;
    return this.#last;
  }
}
