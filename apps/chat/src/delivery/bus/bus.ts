import { EventEmitter } from 'node:events';

/**
 * Sends messages between the instances. A topic is the id of a stream: of a conversation or an account. Emits
 * `message` for each text that another instance publishes on a topic that this one has subscribed to. Used by `Peers`.
 */
export abstract class Bus extends EventEmitter<{ message: [topic: string, text: string] }> {
  abstract subscribe(topics: readonly string[]): void;
  abstract unsubscribe(topics: readonly string[]): void;
  /** Sends a text to every other instance that has subscribed to the topic. Best effort; never throws. */
  abstract publish(topic: string, text: string): void;
  /** Resolves when everything that was published is sent, or after a short timeout. */
  abstract close(): Promise<void>;
}

/** Injects the `Bus`; undefined without Redis, when there is one instance. */
export const BUS = Symbol('Bus');
