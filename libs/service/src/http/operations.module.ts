import { Controller, Get, Inject, Module, Res, type DynamicModule } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Registry } from 'prom-client';
import { observeReadiness } from '../observability/metrics';
import { Readiness, type ReadinessReport } from '../observability/readiness';

/** Liveness, readiness and metrics, for the cluster. */
@Controller()
class OperationsController {
  constructor(
    @Inject(Readiness) private readonly readiness: Readiness,
    @Inject(Registry) private readonly metrics: Registry,
  ) {}

  /** 200 while the process responds. Checks no dependency, since a restart would not repair one. */
  @Get('health/live')
  live() {
    return { status: 'ok' };
  }

  /** 503 with the same body if not ready, so that `curl` shows which dependency is down. */
  @Get('health/ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport> {
    const report = await this.readiness.report();
    void reply.status(report.ready ? 200 : 503);
    return report;
  }

  @Get('metrics')
  scrape(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.type(this.metrics.contentType);
    return this.metrics.metrics();
  }
}

/** `/health/live`, `/health/ready` and `/metrics`; makes `Readiness` and `Registry` injectable everywhere. */
@Module({})
export class OperationsModule {
  static forRoot(options: { readiness: Readiness; metrics: Registry }): DynamicModule {
    observeReadiness(options.metrics, options.readiness);
    return {
      module: OperationsModule,
      global: true,
      controllers: [OperationsController],
      providers: [
        { provide: Readiness, useValue: options.readiness },
        { provide: Registry, useValue: options.metrics },
      ],
      exports: [Readiness, Registry],
    };
  }
}
