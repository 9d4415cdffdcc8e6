/** Requests by key, at most one of each in flight at a time; its result is shared by all callers in the meantime. */
export class SharedRequests<T> {
  private readonly running = new Map<string, Promise<T>>();

  constructor(private readonly request: (key: string) => Promise<T>) {}

  /** Returns the result of the request in flight, or of a new one. */
  join(key: string): Promise<T> {
    const running = this.running.get(key) ?? this.request(key).finally(() => this.running.delete(key));
    this.running.set(key, running);
    return running;
  }
}
