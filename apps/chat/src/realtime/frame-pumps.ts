import { Inject, Injectable } from '@nestjs/common';
import { kindOfError, LOGGER, type Logger, ThrottledLog } from '@waggle/service';
import { FrameLimits } from '../rate-limits/frame-limits';
import { type Connection } from './connection';
import { FramePump } from './frame-pump';
import { FrameRouter } from './frame-router';
import { RealtimeMetrics } from './realtime.metrics';

/** Creates the frame pump of each connection, and counts and logs the frames that fail. */
@Injectable()
export class FramePumps {
  private readonly failures: ThrottledLog<{ err: unknown; type: string | undefined }>;

  constructor(
    private readonly limits: FrameLimits,
    private readonly router: FrameRouter,
    private readonly metrics: RealtimeMetrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failures = new ThrottledLog(
      (leftOut, { err, type }) => {
        logger.error({ err, type, leftOut }, 'a frame could not be handled');
      },
      { kindOf: ({ err, type }) => `${type ?? ''} ${kindOfError(err)}` },
    );
  }

  create(connection: Connection): FramePump {
    return new FramePump(connection, this.limits, this.router, (code, err, type) => {
      this.metrics.failures.inc({ code });
      if (code === 'internal' || code === 'unavailable') this.failures.log({ err, type });
    });
  }
}
