import { type OnApplicationShutdown } from '@nestjs/common';
import { withstandBreaks } from '@waggle/service';
import { Pool } from 'pg';

/** Injects the `QueuePool`. */
export const QUEUE_POOL = Symbol('QueuePool');

/** Connections that nobody but the message queue uses: slow readings that hold all others do not keep messages waiting. */
export class QueuePool extends Pool implements OnApplicationShutdown {
  /** @param like whose settings it has */
  constructor({ options }: Pool, max: number) {
    // The password is not among what is copied with the others.
    super({
      ...options,
      password: options.password,
      max,
      // Connections are kept: to end those that rest would take a timer for each statement.
      idleTimeoutMillis: 0,
    });
    withstandBreaks(this);
  }

  async onApplicationShutdown() {
    await this.end();
  }
}
