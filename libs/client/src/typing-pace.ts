/** Others show it for 5 s, so it does not flicker; the service takes one in 2.5 s, so none comes too early. */
const paceMs = 3_000;

/** How often to say that something is being written. */
export class TypingPace {
  readonly #saidAtMs = new Map<string, number>();

  allows(conversationId: string, nowMs = Date.now()): boolean {
    for (const [id, saidAtMs] of this.#saidAtMs) if (nowMs - saidAtMs >= paceMs) this.#saidAtMs.delete(id);
    if (this.#saidAtMs.has(conversationId)) return false;
    this.#saidAtMs.set(conversationId, nowMs);
    return true;
  }
}
