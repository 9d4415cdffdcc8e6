import { type FastifyInstance, type FastifyReply } from 'fastify';
import {
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type HistogramConfiguration,
  type LabelValues,
  register as processMetrics,
  Registry,
  type RegistryContentType,
} from 'prom-client';
import { tracing } from '../tracing/tracing';
import { type Readiness } from './readiness';

/**
 * The registry of one service instance, with the metrics of its process. All instances of a process share these,
 * because the observers that prom-client creates for them never end. With tracing, the format is OpenMetrics, since the
 * text format has no exemplars.
 */
export function createMetrics(): Registry {
  if (processMetrics.getMetricsAsArray().length === 0) collectDefaultMetrics();
  const registry = Registry.merge([processMetrics]);
  if (tracing !== undefined) useOpenMetrics(registry);
  return registry;
}

function useOpenMetrics(registry: Registry<RegistryContentType>): void {
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
}

/** A histogram of durations. With tracing, each bucket has an exemplar: the trace of its last sample. */
export class DurationHistogram {
  private readonly histogram: Histogram;

  constructor(configuration: HistogramConfiguration<string>) {
    this.histogram = new Histogram({ ...configuration, enableExemplars: tracing !== undefined });
  }

  observe(labels: LabelValues<string>, seconds: number): void {
    if (tracing === undefined) this.histogram.observe(labels, seconds);
    else this.histogram.observe({ labels, value: seconds, exemplarLabels: tracing.exemplarLabels() ?? {} });
  }
}

/** Registers a gauge of one value, which is read at each scrape. */
export function observeValue(registry: Registry, name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}

const downloadReplies = new WeakSet<FastifyReply>();

/**
 * Adds ` download` to the route of this response in the metrics, since its duration depends on its length and the pace
 * of its reader.
 */
export function observeAsDownload(reply: FastifyReply): void {
  downloadReplies.add(reply);
}

/**
 * Observes how long every HTTP request takes, labelled by the route's pattern: a caller can choose any number of paths.
 */
export function observeRequests(fastify: FastifyInstance, registry: Registry): void {
  const duration = new DurationHistogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests in seconds',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const pattern = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const route = downloadReplies.has(reply) ? `${pattern} download` : pattern;
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
    done();
  });
}

/**
 * Reports the state of each dependency, checked at each scrape: an instance may be ready while a dependency is down.
 */
export function observeReadiness(registry: Registry, readiness: Pick<Readiness, 'probe'>): void {
  new Gauge({
    name: 'readiness_check_up',
    help: '1 if the dependency is up, as /health/ready reports it',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      for (const [check, state] of Object.entries(await readiness.probe())) this.set({ check }, state === 'up' ? 1 : 0);
    },
  });
}
