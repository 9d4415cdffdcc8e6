import { type Registry } from 'prom-client';
import { type HttpConfig } from '../configuration';
import { type Logger } from '../observability/logging';
import { createMetrics } from '../observability/metrics';
import { Readiness, type ReadinessOptions } from '../observability/readiness';
import { ResponseLimits } from '../responses/response-limits';

interface PlatformOptions extends Pick<ReadinessOptions, 'canServe'> {
  /** False for an indexer, which serves only health and metrics. */
  readonly limitsResponses?: boolean;
}

type Close = () => Promise<void> | void;

/**
 * What every process of a service is built on. It is created first and opens nothing. Modules inject it, register their
 * metrics and readiness checks, and say how to close what they open.
 */
export class Platform {
  readonly metrics: Registry = createMetrics();
  readonly readiness: Readiness;
  /** The limits of responses; undefined if they are not limited. */
  readonly responseLimits: ResponseLimits | undefined;
  private readonly closes: Close[] = [];
  private isClosed = false;

  /** @param service its name, as in `apps` */
  constructor(
    readonly service: string,
    readonly http: HttpConfig,
    readonly logger: Logger,
    { limitsResponses = true, ...readiness }: PlatformOptions = {},
  ) {
    this.readiness = new Readiness([], readiness);
    this.responseLimits = limitsResponses ? new ResponseLimits(http.responses, this.metrics) : undefined;
  }

  /**
   * Calls the function when the HTTP server is closed, so after the last response. The database is still connected,
   * unless the service cannot be created.
   */
  onClose(close: Close): void {
    this.closes.push(close);
    // Nest creates modules concurrently: one may open something after another has failed.
    if (this.isClosed) void this.close();
  }

  /** Closes what was opened, the last one first. Errors are logged. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const close of this.closes.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        this.logger.error(error, 'cannot close');
      }
    }
  }
}
