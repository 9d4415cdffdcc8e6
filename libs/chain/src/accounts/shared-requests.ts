/** Requests by key, at most one of each in flight at a time; its result is shared by all callers in the meantime. */
export class SharedRequests<T> {
  private readonly running = new Map<string, Running<T>>();

  constructor(private readonly request: (key: string) => Promise<T>) {}

  /** Returns the result of the request in flight, or of a new one. */
  join(key: string): Promise<T> {
    return this.running.get(key)?.current ?? this.start(key);
  }

  /**
   * Returns the result of a request that begins after this call. If one is in flight, the next begins when it ends, and all callers in
   * the meantime share it.
   */
  begin(key: string): Promise<T> {
    const running = this.running.get(key);
    if (running === undefined) return this.start(key);
    running.next ??= running.current.then(
      () => this.start(key),
      // It failed for its own callers; the next is a new attempt.
      () => this.start(key),
    );
    return running.next;
  }

  private start(key: string): Promise<T> {
    const running: Running<T> = {
      current: this.request(key).finally(() => {
        // Otherwise the next one replaces it in a moment.
        if (running.next === undefined) this.running.delete(key);
      }),
      next: undefined,
    };
    this.running.set(key, running);
    return running.current;
  }
}

interface Running<T> {
  readonly current: Promise<T>;
  next: Promise<T> | undefined;
}
