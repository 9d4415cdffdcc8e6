/** A result that is JSON already. It is not serialized again, so it may contain numbers that JavaScript would round. */
export class JsonText {
  constructor(readonly text: string) {}

  /** Used by `JSON.stringify` of an enclosing value. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
