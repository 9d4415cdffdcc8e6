/** A server that a service cannot start without. */
export interface Dependency {
  /** As in the report of `/health/ready`. */
  readonly name: string;
  /** Resolves if the server answers, also by refusing us. @throws why it cannot be used now, within some seconds */
  readonly check: () => Promise<void>;
}
