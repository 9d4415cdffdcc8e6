import { type Attributes } from '@opentelemetry/api';
import { type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-node';

/**
 * Attributes that are nobody's text. Instrumentations add paths, queries, addresses of clients and user agents, and every version
 * of them may add more: what is not listed is left out. Statements are ours and have their values apart.
 */
const allowedAttributes = new Set([
  ...['http.request.method', 'http.response.status_code', 'http.route', 'error.type'],
  ...['url.scheme', 'server.address', 'server.port', 'network.protocol.version'],
  ...['db.system.name', 'db.namespace', 'db.operation.name', 'db.query.text'],
]);

/** Hands spans on without what they may have of users: other attributes, messages of errors, events, links. */
export class AllowListExporter implements SpanExporter {
  constructor(private readonly exporter: SpanExporter) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.exporter.export(spans.map(withoutTexts), done);
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}

function withoutTexts(span: ReadableSpan): ReadableSpan {
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
