import path from 'node:path';
import {
  createTemplate,
  createTestDatabase,
  findFreePort,
  GuardedProcess,
  TraceCollector,
  until,
} from '@waggle/testing';
import { migrate } from '../../src/database';
import { ScriptedNode } from '../support/scripted-node';

const main = path.join(__dirname, '../../dist/main.js');

it('names the span of a request after its route', async () => {
  const collector = await TraceCollector.start();
  const node = await ScriptedNode.start();
  const database = await createTestDatabase(await createTemplate('rpc_gateway', migrate));
  const port = String(await findFreePort());
  const gateway = await GuardedProcess.start(process.execPath, [main], {
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
    stopTimeoutMs: 30_000,
  });
  try {
    const post = (at: string) =>
      fetch(`http://127.0.0.1:${port}${at}`, {
        method: 'POST',
        body: '{"jsonrpc":"2.0","id":1,"method":"hive.get_info","params":{"author":"alice"}}',
      });
    await until(async () => {
      if (gateway.endedWith !== undefined) throw new Error(gateway.lastLines.join('\n'));
      return post('/').then(
        ({ ok }) => ok,
        () => false,
      );
    });
    expect(await (await post('/rpc/?a=alice')).json()).toMatchObject({ result: { method: 'hive.get_info' } });
    await post('/rpc/home');
    for (const route of ['/', '/rpc', '/rpc/home'])
      await collector.next(({ name, attributes }) => name === `POST ${route}` && attributes['http.route'] === route);
    // The call to the node is a child span; neither contains the client's parameters.
    await collector.next(({ scope }) => scope === '@opentelemetry/instrumentation-undici');
    expect(collector.bodies.join()).not.toContain('alice');
  } finally {
    await gateway.stop();
    await collector.stop();
    await node.stop();
    await database.drop();
  }
});
