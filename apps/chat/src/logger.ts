/** Injects the service's `Logger`. */
export const LOGGER = Symbol('Logger');
