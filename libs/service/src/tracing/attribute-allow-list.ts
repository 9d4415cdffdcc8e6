import { type Attributes } from '@opentelemetry/api';
import { type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-node';

/**
 * Attributes without user data. Instrumentations also add paths, queries, client addresses and user agents, and new
 * versions may add more; all others are removed. Statements contain no values.
 */
const allowedAttributes = new Set([
  ...['http.request.method', 'http.response.status_code', 'http.route', 'error.type'],
  ...['url.scheme', 'server.address', 'server.port', 'network.protocol.version'],
  ...['db.system.name', 'db.namespace', 'db.operation.name', 'db.query.text'],
]);

/** Exports spans without other attributes, error messages, events and links, which may contain user data. */
export class AllowListExporter implements SpanExporter {
  constructor(private readonly exporter: SpanExporter) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.exporter.export(spans.map(withoutUserData), done);
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}

function withoutUserData(span: ReadableSpan): ReadableSpan {
  const attributes: Attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([name]) => allowedAttributes.has(name)),
  );
  return {
    name: span.name,
    kind: span.kind,
    spanContext: () => span.spanContext(),
    ...(span.parentSpanContext !== undefined && { parentSpanContext: span.parentSpanContext }),
    startTime: span.startTime,
    endTime: span.endTime,
    duration: span.duration,
    ended: span.ended,
    status: { code: span.status.code },
    attributes,
    links: [],
    events: [],
    resource: span.resource,
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
  };
}
