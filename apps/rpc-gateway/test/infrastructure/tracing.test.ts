import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createTemplate,
  createTestDatabase,
  findFreePort,
  getPrometheusProgram,
  GuardedProcess,
  type TestDatabase,
  TraceCollector,
  until,
} from '@waggle/testing';
import { z } from 'zod';
import { migrate } from '../../src/database';
import { ScriptedNode } from '../support/scripted-node';

const main = path.join(__dirname, '../../dist/main.js');
const stopTimeoutMs = 30_000;

describe('a traced gateway', () => {
  let collector: TraceCollector;
  let node: ScriptedNode;
  let database: TestDatabase;
  let gateway: GuardedProcess;
  let address: string;

  const post = (at: string) =>
    fetch(`http://${address}${at}`, {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"hive.get_info","params":{"author":"alice"}}',
    });

  beforeAll(async () => {
    collector = await TraceCollector.start();
    node = await ScriptedNode.start();
    database = await createTestDatabase(await createTemplate('rpc_gateway', migrate));
    const port = String(await findFreePort());
    address = `127.0.0.1:${port}`;
    gateway = await GuardedProcess.start(process.execPath, [main], {
      env: {
        HOST: '127.0.0.1',
        PORT: port,
        DATABASE_URL: database.url,
        HIVE_API_NODES: node.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        // The maximum delay of the export.
        OTEL_BSP_SCHEDULE_DELAY: '50',
      },
      stopSignal: 'SIGTERM',
      stopTimeoutMs,
    });
    await until(async () => {
      if (gateway.endedWith !== undefined) throw new Error(gateway.lastLines.join('\n'));
      return post('/').then(
        ({ ok }) => ok,
        () => false,
      );
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await collector.stop();
    await node.stop();
    await database.drop();
  });

  it('names the span of a request after its route', async () => {
    expect(await (await post('/rpc/?a=alice')).json()).toMatchObject({ result: { method: 'hive.get_info' } });
    await post('/rpc/home');
    for (const route of ['/', '/rpc', '/rpc/home'])
      await collector.next(({ name, attributes }) => name === `POST ${route}` && attributes['http.route'] === route);
    // The call to the node is a child span; neither contains the client's parameters.
    await collector.next(({ scope }) => scope === '@opentelemetry/instrumentation-undici');
    expect(collector.bodies.join()).not.toContain('alice');
  });

  it('gives Prometheus the traces of requests as exemplars of their durations', async () => {
    await post('/');
    await fetch(`http://${address}/status`);
    const prometheus = await startPrometheus(address);
    try {
      for (const histogram of ['rpc_gateway_call_duration_seconds', 'http_request_duration_seconds'])
        for (const { labels } of await prometheus.exemplarsOf(histogram))
          await collector.next(({ traceId }) => traceId === labels.trace_id);
    } finally {
      await prometheus.stop();
    }
  });
});

const exemplarsResponse = z.object({
  data: z.array(z.object({ exemplars: z.array(z.object({ labels: z.object({ trace_id: z.string() }) })) })),
});
type Exemplar = z.infer<typeof exemplarsResponse>['data'][number]['exemplars'][number];

interface Prometheus {
  /** Resolves with the exemplars of a histogram as soon as there are some. */
  exemplarsOf: (histogram: string) => Promise<Exemplar[]>;
  stop: () => Promise<void>;
}

/** Starts a Prometheus that scrapes a service each second. */
async function startPrometheus(target: string): Promise<Prometheus> {
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-prometheus-'));
  const config = path.join(folder, 'prometheus.json');
  const scrape = { job_name: 'gateway', scrape_interval: '1s', static_configs: [{ targets: [target] }] };
  writeFileSync(config, JSON.stringify({ scrape_configs: [scrape] }));
  const address = `127.0.0.1:${await findFreePort()}`;
  const server = await GuardedProcess.start(
    await getPrometheusProgram('prometheus'),
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=${address}`,
      '--enable-feature=exemplar-storage',
    ],
    { env: {}, stopSignal: 'SIGTERM', stopTimeoutMs, temporaryFolder: folder },
  );
  const findExemplars = async (query: string): Promise<Exemplar[]> => {
    const span = `start=0&end=${Date.now() / 1_000 + 60}`;
    const response = await fetch(`http://${address}/api/v1/query_exemplars?query=${query}&${span}`);
    return exemplarsResponse.parse(await response.json()).data.flatMap(({ exemplars }) => exemplars);
  };
  return {
    exemplarsOf: async (histogram) => {
      let found: Exemplar[] = [];
      await until(
        async () => {
          if (server.endedWith !== undefined) throw new Error(server.lastLines.join('\n'));
          found = await findExemplars(`${histogram}_bucket`).catch(() => []);
          return found.length > 0;
        },
        { actual: () => server.lastLines },
      );
      return found;
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
