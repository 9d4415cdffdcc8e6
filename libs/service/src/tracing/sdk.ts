import {
  context,
  isSpanContextValid,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { AllowListExporter } from './attribute-allow-list';
import { type Tracing } from './tracing';

/** Timeout of one batch; the shutdown waits for the last one. */
const exportTimeoutMs = 5_000;

/** Requests of the cluster every few seconds. */
const operationalPaths = /^\/(health\/|metrics$)/;

/**
 * Starts traces of this process: requests, frames and batches of blocks, and in each its statements of PostgreSQL,
 * commands of Redis and calls to Hive nodes. The SDK reads the endpoint, headers and sampler from the environment by
 * their documented names.
 *
 * @param name the service's name in its traces, unless the environment gives another
 */
export function startTracing(name: string): Tracing {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': name, 'service.namespace': 'waggle' }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [
      new BatchSpanProcessor(new AllowListExporter(new OTLPTraceExporter({ timeoutMillis: exportTimeoutMs }))),
    ],
  });
  provider.register({ propagator: continuesCallers() ? inwardsOnly(new W3CTraceContextPropagator()) : null });
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: ({ url }) => operationalPaths.test(url ?? ''),
        disableOutgoingRequestInstrumentation: true,
      }),
      // Otherwise each background query, such as the polls for revoked sessions, would be a trace.
      new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
      // Keys contain account names and addresses.
      new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
      new UndiciInstrumentation({ requireParentforSpans: true }),
    ],
  });
  return {
    exemplarLabels,
    fieldsOfLine,
    nameRoutes,
    nameRequest,
    inSpan,
    inChildSpan: (parent, spanName, work) => context.with(parent, () => inSpan(spanName, work)),
    traceContext: () => context.active(),
    end: () => provider.shutdown().catch(() => undefined),
  };
}

/**
 * Whether a caller's `traceparent` is used. OpenTelemetry's variable decides, but the default is no: untrusted callers
 * could decide what is sampled and add spans to traces of others.
 */
function continuesCallers(): boolean {
  return (process.env['OTEL_PROPAGATORS'] ?? '').split(',').some((name) => name.trim() === 'tracecontext');
}

/** Continues a caller's trace, but sends no trace headers to Hive nodes. */
function inwardsOnly(propagator: TextMapPropagator): TextMapPropagator {
  return {
    inject: () => undefined,
    extract: (context, carrier, getter) => propagator.extract(context, carrier, getter),
    fields: () => propagator.fields(),
  };
}

const exemplarLabels: Tracing['exemplarLabels'] = () => {
  const context = trace.getActiveSpan()?.spanContext();
  if (context === undefined || (context.traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
  // The label's name is the one that Grafana looks for.
  return { trace_id: context.traceId };
};

const fieldsOfLine: Tracing['fieldsOfLine'] = () => {
  const context = trace.getActiveSpan()?.spanContext();
  if (context === undefined || !isSpanContextValid(context)) return {};
  return { traceId: context.traceId, spanId: context.spanId };
};

const nameRequest: Tracing['nameRequest'] = (method, route) => {
  trace.getActiveSpan()?.setAttribute('http.route', route).updateName(`${method} ${route}`);
};

const nameRoutes: Tracing['nameRoutes'] = (fastify) => {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const route = request.is404 ? undefined : request.routeOptions.url;
    if (route !== undefined) nameRequest(request.method, route);
    done();
  });
};

/** Ends when the work has returned, or its promise is settled. */
const inSpan: Tracing['inSpan'] = (name, work) =>
  trace.getTracer('waggle').startActiveSpan(name, (span) => {
    const succeed = (): void => {
      span.end();
    };
    const fail = (): void => {
      span.setStatus({ code: SpanStatusCode.ERROR }).end();
    };
    try {
      const result = work();
      if (result instanceof Promise) result.then(succeed, fail);
      else succeed();
      return result;
    } catch (error) {
      fail();
      throw error;
    }
  });
