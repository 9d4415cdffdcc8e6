import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { z } from 'zod';

const attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  /** `code` 2 is an error. */
  status: z.object({ code: z.int().optional() }),
  attributes: z.array(attribute),
});
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ scope: z.object({ name: z.string() }), spans: z.array(span) })),
    }),
  ),
});

/** `SPAN_KIND_…` of OTLP. */
export const spanKinds = { server: 2, client: 3 };

export interface CollectedSpan extends Omit<z.infer<typeof span>, 'attributes'> {
  service: unknown;
  /** The library that created it. */
  scope: string;
  attributes: Record<string, unknown>;
}

/** A collector of traces: accepts OTLP over HTTP, as JSON, and stores it. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** The bodies as received. */
  readonly bodies: string[] = [];
  private readonly waiting = new Set<() => void>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer((incoming, response) => {
      void readAll(incoming).then((body) => {
        const isTraces = incoming.method === 'POST' && incoming.url === '/v1/traces';
        if (isTraces) collector.take(body);
        response.writeHead(isTraces ? 200 : 404, { 'Content-Type': 'application/json' }).end('{}');
      });
    });
    const collector = new TraceCollector(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Resolves with the first matching span, which may have arrived already. */
  async next(fits: (span: CollectedSpan) => boolean): Promise<CollectedSpan> {
    for (;;) {
      const found = this.spans.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(body: string): void {
    this.bodies.push(body);
    for (const { resource, scopeSpans } of request.parse(JSON.parse(body)).resourceSpans) {
      const service = valuesOf(resource.attributes)['service.name'];
      for (const { scope, spans } of scopeSpans)
        for (const one of spans)
          this.spans.push({ ...one, service, scope: scope.name, attributes: valuesOf(one.attributes) });
    }
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }
}

function valuesOf(attributes: readonly z.infer<typeof attribute>[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
