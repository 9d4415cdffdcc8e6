/** Requests by key, at most one of each under way at a time, whose result all who ask in the meantime share. */
export class SharedRequests<T> {
  private readonly running = new Map<string, Running<T>>();

  constructor(private readonly request: (key: string) => Promise<T>) {}

  /** The result of the request that is under way, or of a new one. */
  join(key: string): Promise<T> {
    return this.running.get(key)?.current ?? this.start(key);
  }

  /**
   * The result of a request that begins after this call: what was asked before may have been answered before. If one is
   * under way, the next begins when it ends, and all who come in the meantime share it.
   */
  begin(key: string): Promise<T> {
    const running = this.running.get(key);
    if (running === undefined) return this.start(key);
    running.next ??= running.current.then(
      () => this.start(key),
      // It failed for those who wait for it; the next is a new try.
      () => this.start(key),
    );
    return running.next;
  }

  private start(key: string): Promise<T> {
    const running: Running<T> = {
      current: this.request(key).finally(() => {
        // Where another waits it takes this one's place in a moment.
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
