import { SharedBudget } from '@waggle/service';

/** Counts what is unsent on one connection, by sender, and with all others of the instance, by the account that reads it. */
export class UnsentBytes {
  /** Created on demand, since most connections never need it. */
  private bySender: SharedBudget | undefined;

  /** @param byReader of all connections of the instance */
  constructor(
    private readonly connectionBytes: number,
    private readonly byReader: SharedBudget,
  ) {}

  /** @returns what releases the bytes; undefined, and reserves nothing, if there is no room for them */
  reserve(sender: string, reader: string, bytes: number): (() => void) | undefined {
    const bySender = (this.bySender ??= new SharedBudget(this.connectionBytes));
    if (!bySender.take(sender, bytes)) return undefined;
    if (!this.byReader.take(reader, bytes)) {
      bySender.release(sender, bytes);
      return undefined;
    }
    return () => {
      bySender.release(sender, bytes);
      this.byReader.release(reader, bytes);
    };
  }
}
