import type { Place } from './frames';

/** Hears of an event; durable ones come with their place. */
export type Listener<Payload> = (payload: Payload, place: Place | undefined) => void;

type Listeners<Events> = { [E in keyof Events]?: Set<Listener<Events[E]>> };

/** Tells listeners of events: `Events` has the payload of each. */
export class Emitter<Events> {
  readonly #listeners: Listeners<Events> = {};

  /** @returns ends it */
  on<E extends keyof Events>(event: E, listener: Listener<Events[E]>): () => void {
    const listeners = (this.#listeners[event] ??= new Set<Listener<Events[E]>>());
    // The same function may be there twice, and each registration is ended by itself.
    const registration: Listener<Events[E]> = (payload, place) => {
      listener(payload, place);
    };
    listeners.add(registration);
    return () => listeners.delete(registration);
  }

  once<E extends keyof Events>(event: E, listener: Listener<Events[E]>): void {
    const end = this.on(event, (payload, place) => {
      end();
      listener(payload, place);
    });
  }

  emit<E extends keyof Events>(event: E, payload: Events[E], place?: Place): void {
    for (const listener of [...(this.#listeners[event] ?? [])]) {
      try {
        listener(payload, place);
      } catch (error) {
        // A mistake in a listener is not ours to hide, and must not keep others, or us, from what came.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
