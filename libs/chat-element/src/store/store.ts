/** Holds an immutable state, and calls its subscribers after each change. */
export class Store<State> {
  readonly #subscribers = new Set<() => void>();
  #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  get state(): State {
    return this.#state;
  }

  update(change: (state: State) => State): void {
    const next = change(this.#state);
    if (next === this.#state) return;
    this.#state = next;
    for (const subscriber of [...this.#subscribers]) subscriber();
  }

  /** @returns ends the subscription */
  subscribe(subscriber: () => void): () => void {
    this.#subscribers.add(subscriber);
    return () => {
      this.#subscribers.delete(subscriber);
    };
  }
}
