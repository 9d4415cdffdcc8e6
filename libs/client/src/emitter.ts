import type { StreamPosition } from './protocol/frames';

/** Handles an event. Durable events have a position. */
export type Listener<Payload> = (payload: Payload, position: StreamPosition | undefined) => void;

type Listeners<Events> = { [E in keyof Events]?: Set<Listener<Events[E]>> };

/** A typed event emitter; `Events` maps each event to its payload. */
export class Emitter<Events> {
  readonly #listeners: Listeners<Events> = {};

  /** Adds a listener. @returns a function that removes it */
  on<E extends keyof Events>(event: E, listener: Listener<Events[E]>): () => void {
    const listeners = (this.#listeners[event] ??= new Set<Listener<Events[E]>>());
    // The same function may be added twice, and each registration is removed on its own.
    const registration: Listener<Events[E]> = (payload, position) => {
      listener(payload, position);
    };
    listeners.add(registration);
    return () => listeners.delete(registration);
  }

  once<E extends keyof Events>(event: E, listener: Listener<Events[E]>): void {
    const remove = this.on(event, (payload, position) => {
      remove();
      listener(payload, position);
    });
  }

  emit<E extends keyof Events>(event: E, payload: Events[E], position?: StreamPosition): void {
    const listeners = this.#listeners[event] ?? new Set();
    for (const listener of [...listeners]) {
      // An earlier listener may have removed it.
      if (!listeners.has(listener)) continue;
      try {
        listener(payload, position);
      } catch (error) {
        throwUncaught(error);
      }
    }
  }
}

/**
 * Makes an exception of the caller's code an uncaught error, so that it does not affect other listeners or this
 * library.
 */
export function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
