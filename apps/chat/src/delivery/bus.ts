/** Sends notifications between the instances. A topic is a stream. */
export interface Bus {
  /** @param listener called with what other instances publish on the topics that this one has subscribed to */
  listen(listener: (topic: string, text: string) => void): void;
  subscribe(topics: readonly string[]): void;
  unsubscribe(topics: readonly string[]): void;
  /** Sends a text to every other instance that has subscribed to the topic. Best effort; never throws. */
  publish(topic: string, text: string): void;
  /** Resolves when everything that was published is sent, or after a short timeout. */
  close(): Promise<void>;
}

/** Injects the `Bus`. */
export const BUS = Symbol('Bus');

/** The bus of a single instance: does nothing. */
export class NoBus implements Bus {
  listen() {
    // No other instance publishes.
  }

  subscribe() {
    // No other instance publishes.
  }

  unsubscribe() {
    // Nothing was subscribed.
  }

  publish() {
    // No other instance listens.
  }

  close() {
    return Promise.resolve();
  }
}
