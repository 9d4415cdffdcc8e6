/** Carries what happened to the instances that are interested in a topic: a stream. */
export interface Bus {
  /** @param listener gets what other instances publish on the topics that this one has subscribed to */
  listen(listener: (topic: string, text: string) => void): void;
  subscribe(topics: readonly string[]): void;
  unsubscribe(topics: readonly string[]): void;
  /** To every other instance that has subscribed to the topic, where it can be had; never fails. */
  publish(topic: string, text: string): void;
  /** Resolves when what was published has gone out, where it does so soon. */
  close(): Promise<void>;
}

/** Injects the `Bus`. */
export const BUS = Symbol('Bus');

/** The bus of an instance that is alone. */
export class NoBus implements Bus {
  listen() {
    // There is nobody to listen to.
  }

  subscribe() {
    // Nobody publishes.
  }

  unsubscribe() {
    // Nothing was subscribed.
  }

  publish() {
    // Nobody listens.
  }

  close() {
    return Promise.resolve();
  }
}
