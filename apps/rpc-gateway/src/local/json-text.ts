/** A result as JSON text, which goes into the answer as it is: written once, and with numbers that JavaScript would round. */
export class JsonText {
  constructor(readonly text: string) {}

  /** For who writes it as part of something else. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
