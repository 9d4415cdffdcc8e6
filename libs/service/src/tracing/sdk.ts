import { isSpanContextValid, trace, type TextMapPropagator } from '@opentelemetry/api';
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

/** How long a collector may take for one batch: an end of the process waits for the last one. */
const exportTimeoutMs = 5_000;

/** What a platform asks every few seconds. */
const platformPaths = /^\/(health\/|metrics$)/;

/**
 * Starts traces of this process: requests, and within these statements of PostgreSQL, commands of Redis and calls to Hive nodes.
 * The SDK reads the endpoint, headers and sampler from the environment by their documented names.
 *
 * @param role the service's name in its traces, unless the environment gives another
 */
export function startTracing(role: string): Tracing {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': role, 'service.namespace': 'waggle' }).merge(
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
        ignoreIncomingRequestHook: ({ url }) => platformPaths.test(url ?? ''),
        disableOutgoingRequestInstrumentation: true,
      }),
      // What no request has asked for, such as looking for revoked sessions twice a second, would be a trace each.
      new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
      // Keys have names of accounts and addresses in them.
      new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
      new UndiciInstrumentation({ requireParentforSpans: true }),
    ],
  });
  return { fieldsOfLine, nameRoutes, nameRequest, end: () => provider.shutdown().catch(() => undefined) };
}

/**
 * Whether a `traceparent` counts. By OpenTelemetry's variable, but none where it is not set: callers are strangers, who would say
 * what is sampled, and put spans into traces of others.
 */
function continuesCallers(): boolean {
  return (process.env['OTEL_PROPAGATORS'] ?? '').split(',').some((name) => name.trim() === 'tracecontext');
}

/** A caller's trace is continued; the Hive nodes are strangers, who are told of none. */
function inwardsOnly(propagator: TextMapPropagator): TextMapPropagator {
  return {
    inject: () => undefined,
    extract: (context, carrier, getter) => propagator.extract(context, carrier, getter),
    fields: () => propagator.fields(),
  };
}

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
