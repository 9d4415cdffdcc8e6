import { HiveNodesUnavailableError } from '../../node/errors';

/** A response that may show the property. */
export interface ShowsProperty {
  readonly showsProperty: boolean;
}

/**
 * Detects a property that every true response on Hive shows and no response on some test chains: ids that are hashes,
 * or producer rewards. Each node must show it. Only if all nodes are called and none shows it does the chain count as
 * one without it, until a response shows it. So the node that is called first cannot deny it.
 */
export class PropertyDetector {
  private known: 'unknown' | 'present' | 'absent' = 'unknown';

  /** Whether a response showed it. */
  get isPresent(): boolean {
    return this.known === 'present';
  }

  /** Requires every response to show it from now on. */
  require(): void {
    this.known = 'present';
  }

  /** @param call calls the nodes; with `isRequired` it rejects responses that do not show the property */
  async detect<T extends ShowsProperty>(call: (isRequired: boolean) => Promise<T>): Promise<T> {
    let rejected: unknown;
    if (this.known !== 'absent') {
      try {
        const response = await call(true);
        if (response.showsProperty) this.known = 'present';
        return response;
      } catch (error) {
        if (this.isPresent || !isFromAll(error)) throw error;
        rejected = error;
      }
    }
    const response = await call(false);
    if (response.showsProperty) this.known = 'present';
    // A concurrent call may have shown it in the meantime.
    else if (this.isPresent) throw rejected;
    else this.known = 'absent';
    return response;
  }
}

/** Whether every node responded, and none with an acceptable response. */
function isFromAll(error: unknown): boolean {
  return (
    error instanceof HiveNodesUnavailableError &&
    error.failures.every(({ kind }) => kind === 'contradiction' || kind === 'mismatch' || kind === 'behind')
  );
}
