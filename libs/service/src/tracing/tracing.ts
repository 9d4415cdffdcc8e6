import { createRequire } from 'node:module';
import { type FastifyInstance } from 'fastify';
import type * as Sdk from './sdk';

/** What the rest of a service does for its traces. */
export interface Tracing {
  /** Which trace a log line belongs to; nothing outside of a request. */
  fieldsOfLine: () => { traceId?: string; spanId?: string };
  /** Names the spans of requests by their routes. */
  nameRoutes: (fastify: FastifyInstance) => void;
  /** Names that of the request which is answered now, where it is answered beside Fastify. */
  nameRequest: (method: string, route: string) => void;
  /** Sends what is not sent yet. Never rejects. */
  end: () => Promise<void>;
}

/**
 * The role that a process is, by the script that it was started with: `chat` is `…/chat/dist/main.js`, `delegation-indexer` is
 * `…/delegation/dist/indexer.main.js`. Undefined for anything else, such as tests and migrations.
 */
export function roleOfScript(script: string | undefined): string | undefined {
  const [, app, indexer] = /[\\/]([\w-]+)[\\/]dist[\\/](indexer\.)?main\.js$/.exec(script ?? '') ?? [];
  return app === undefined || indexer === undefined ? app : `${app}-indexer`;
}

/**
 * Traces by OpenTelemetry where `OTEL_EXPORTER_OTLP_ENDPOINT` names a collector; without it nothing of that is loaded. What is to
 * be traced must be loaded after this module, so the library's index names it first, and every `main.ts` imports the library first.
 */
export const tracing = startIfConfigured();

/** Names the span of the request that is answered now, by its route; undefined where nothing is traced. */
export const nameRequestSpan: Tracing['nameRequest'] | undefined = tracing?.nameRequest;

function startIfConfigured(): Tracing | undefined {
  const role = roleOfScript(process.argv[1]);
  const endpoint = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  // A bad URL is a fault of the configuration, which is read next and names it.
  if (role === undefined || !URL.canParse(endpoint)) return undefined;
  // At once, not by a promise: the modules that it changes are loaded next.
  const sdk: unknown = createRequire(__filename)('./sdk');
  if (!isSdk(sdk)) throw new Error('there is no SDK beside this module');
  return sdk.startTracing(role);
}

function isSdk(loaded: unknown): loaded is typeof Sdk {
  return typeof loaded === 'object' && loaded !== null && 'startTracing' in loaded;
}
