/** The account that gets the typed lines: the one that was chosen last, unless it cannot be written to. */
export class Recipients {
  /** The current one is the last. Only the first one is known to get messages, or was named at the start. */
  private readonly chosen: [string, ...string[]];

  constructor(first: string) {
    this.chosen = [first];
  }

  get current(): string {
    return this.chosen.at(-1) ?? this.chosen[0];
  }

  choose(account: string): void {
    const index = this.chosen.indexOf(account);
    if (index === -1) this.chosen.push(account);
    else this.chosen.splice(index + 1);
  }

  /** Records that an account got a message. */
  confirm(account: string): void {
    const index = this.chosen.indexOf(account);
    if (index > 0) this.chosen.splice(0, index);
  }

  /** Goes back to the account that was chosen before one that got no message. */
  reject(account: string): void {
    const index = this.chosen.indexOf(account);
    if (index > 0) this.chosen.splice(index, 1);
  }
}
