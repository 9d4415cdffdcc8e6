/** The links of a call in a `CallList`. */
export interface ListedCall<Call> {
  isListed: boolean;
  older: Call | undefined;
  newer: Call | undefined;
}

/**
 * Running calls, the oldest first. A linked list instead of a Set, because V8 keeps former members of a Set alive, with
 * its outgrown tables, until old objects are collected.
 */
export class CallList<Call extends ListedCall<Call>> {
  private first: Call | undefined;
  private last: Call | undefined;

  get oldest(): Call | undefined {
    return this.first;
  }

  add(call: Call): void {
    call.isListed = true;
    call.older = this.last;
    if (this.last === undefined) this.first = call;
    else this.last.newer = call;
    this.last = call;
  }

  /** Removes a call. @returns whether it was in the list */
  delete(call: Call): boolean {
    const { isListed, older, newer } = call;
    if (!isListed) return false;
    if (older === undefined) this.first = newer;
    else older.newer = newer;
    if (newer === undefined) this.last = older;
    else newer.older = older;
    call.isListed = false;
    call.older = undefined;
    call.newer = undefined;
    return true;
  }
}
