/** Other clients show `typing` for 5 s, and the service accepts one in 2.5 s. */
const paceMs = 3_000;

/** Limits how often `typing` is sent. */
export class TypingPace {
  readonly #sentAtMs = new Map<string, number>();

  allows(conversationId: string, nowMs = performance.now()): boolean {
    for (const [id, sentAtMs] of this.#sentAtMs) if (nowMs - sentAtMs >= paceMs) this.#sentAtMs.delete(id);
    if (this.#sentAtMs.has(conversationId)) return false;
    this.#sentAtMs.set(conversationId, nowMs);
    return true;
  }
}
