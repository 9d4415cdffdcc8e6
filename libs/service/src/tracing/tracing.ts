import { createRequire } from 'node:module';
import { type Context } from '@opentelemetry/api';
import { type FastifyInstance } from 'fastify';
import type * as Sdk from './sdk';

/** A span, for work that continues its trace later. */
export type TraceContext = Context;

/** Tracing functions for the rest of a service. */
export interface Tracing {
  /** Labels of an exemplar that name the trace of the current span; undefined if it is not sampled. */
  exemplarLabels: () => { trace_id: string } | undefined;
  /** Fields of a log line that name its trace; empty outside of a request. */
  fieldsOfLine: () => { traceId?: string; spanId?: string };
  /** Names the spans of requests by their routes. */
  nameRoutes: (fastify: FastifyInstance) => void;
  /** Names the span of the current request if it is not handled by Fastify. */
  nameRequest: (method: string, route: string) => void;
  /** Runs work in a span of its own. Spans of the work are its children, also those that begin after it ends. */
  inSpan: <T>(name: string, work: () => T) => T;
  /** As `inSpan`, as a child of the span that was current when `traceContext` was called. */
  inChildSpan: <T>(parent: TraceContext, name: string, work: () => T) => T;
  traceContext: () => TraceContext;
  /** Sends the remaining spans. Never rejects. */
  end: () => Promise<void>;
}

/**
 * The name of a process, by its script: `chat` for `…/chat/dist/main.js`, `delegation-indexer` for
 * `…/delegation/dist/indexer.main.js`; undefined for others, such as tests and migrations.
 */
export function processNameOf(script: string | undefined): string | undefined {
  const [, app, indexer] = /[\\/]([\w-]+)[\\/]dist[\\/](indexer\.)?main\.js$/.exec(script ?? '') ?? [];
  return app === undefined || indexer === undefined ? app : `${app}-indexer`;
}

/**
 * OpenTelemetry tracing if `OTEL_EXPORTER_OTLP_ENDPOINT` is set; otherwise nothing of it is loaded. It must be loaded
 * before the modules that it instruments, so the library's index imports it first, and every `main.ts` imports the
 * library first.
 */
export const tracing = startIfConfigured();

/** Names the span of the current request by its route; undefined without tracing. */
export const nameRequestSpan: Tracing['nameRequest'] | undefined = tracing?.nameRequest;

/** `Tracing.inSpan`; without tracing it only runs the work. */
export const inSpan: Tracing['inSpan'] = tracing?.inSpan ?? ((_name, work) => work());

/** `Tracing.inChildSpan`; without tracing or a parent it only runs the work. */
export function inChildSpan<T>(parent: TraceContext | undefined, name: string, work: () => T): T {
  return tracing === undefined || parent === undefined ? work() : tracing.inChildSpan(parent, name, work);
}

/** The current span; undefined without tracing. */
export const traceContext = (): TraceContext | undefined => tracing?.traceContext();

function startIfConfigured(): Tracing | undefined {
  const name = processNameOf(process.argv[1]);
  const endpoint = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  // An invalid URL is reported when the configuration is read, which follows.
  if (name === undefined || !URL.canParse(endpoint)) return undefined;
  // Synchronously, since the modules that it instruments are loaded next.
  const sdk: unknown = createRequire(__filename)('./sdk');
  if (!isSdk(sdk)) throw new Error('there is no SDK beside this module');
  return sdk.startTracing(name);
}

function isSdk(loaded: unknown): loaded is typeof Sdk {
  return typeof loaded === 'object' && loaded !== null && 'startTracing' in loaded;
}
