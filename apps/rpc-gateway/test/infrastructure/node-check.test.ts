import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkNodes, type NodeReport } from '@waggle/chain';
import { Devnet, recentGenesisTime } from '@waggle/devnet';
import { GuardedProcess, type TestDatabase, until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { readApiConfig } from '../../src/config';
import { listAccountsMethod } from '../../src/accounts/older-accounts';
import { allProbes, probesByNodes } from '../../src/node-probes';
import { apiProbe, forwardedProbes } from '../../src/upstream/node-probes';
import { freshDatabase } from '../support/index-under-test';
import { rpcError, ScriptedNode } from '../support/scripted-node';

const social = [
  ...['bridge.get_ranked_posts', 'bridge.get_post', 'bridge.get_discussion', 'bridge.get_account_posts'],
  'condenser_api.get_content',
];
const writes = ['condenser_api.broadcast_transaction', 'network_broadcast_api.broadcast_transaction'];

/** The methods of a node that do not just work. */
function exceptionsOf({ methods }: NodeReport): Record<string, string> {
  const exceptions = methods.filter(({ verdict }) => verdict !== 'works');
  return Object.fromEntries(exceptions.map(({ probe, verdict }) => [probe.method, verdict]));
}

describe('the check of nodes', () => {
  let devnet: Devnet;
  let database: TestDatabase | undefined;
  beforeEach(async () => {
    devnet = await Devnet.start({
      nodes: ['haf'],
      nodeKind: 'public',
      payoutSeconds: 9,
      genesisTime: recentGenesisTime(1, 6),
    });
    devnet.post('alice', 'a-post');
    devnet.vote('bob', { author: 'alice', permlink: 'a-post' });
    devnet.produceBlocks(5);
    devnet.makeIrreversible();
  });
  afterEach(async () => {
    await devnet.stop();
    await database?.drop();
    database = undefined;
  });

  it('finds every method on a public node, and sends no transaction', async () => {
    const [report] = await checkNodes([devnet.url], allProbes);
    expect(report && exceptionsOf(report)).toEqual({
      'account_history_api.enum_virtual_ops': 'differs',
      // The development chain does not say what it serves.
      ...Object.fromEntries(writes.map((method) => [method, 'unknown'])),
    });
    expect(devnet.broadcasts).toBe(0);
  });

  it('finds that a node without social methods lacks them', async () => {
    const pure = await Devnet.start({ genesisTime: recentGenesisTime() });
    pure.node.misbehave({
      distort: ({ method }, result) => (method === 'condenser_api.get_accounts' ? null : result),
    });
    const [report] = await checkNodes([pure.url], allProbes);
    await pure.stop();
    expect(report && exceptionsOf(report)).toEqual({
      // The others are called for a post that this method returns.
      ...Object.fromEntries(social.map((method) => [method, method === social[0] ? 'not-served' : 'unknown'])),
      'condenser_api.get_accounts': 'fails',
      ...Object.fromEntries(writes.map((method) => [method, 'unknown'])),
    });
  });

  it('does not blame other methods if no post can be read', async () => {
    devnet.node.misbehave({ wrong: 503, onlyMethods: ['bridge.get_ranked_posts'] });
    const [report] = await checkNodes([devnet.url], forwardedProbes);
    expect(report?.methods.slice(1, 6).map(({ verdict, detail }) => `${verdict}: ${detail}`)).toEqual([
      'fails: http-status (503)',
      ...social.slice(1).map(() => 'unknown: no post could be read to call it for'),
    ]);
  });

  it('calls the social methods of a node that does not report its head, and needs no head for them', async () => {
    const node = await ScriptedNode.start();
    node.headScript = () => rpcError(-32601, 'no such method');
    node.script = ({ method }) => (method === social[0] ? [{ author: 'alice', permlink: 'a-post' }] : {});
    const probes = forwardedProbes.filter(({ method }) => method.startsWith('bridge.'));
    const [report] = await checkNodes([node.url], probes);
    await node.stop();
    expect(report?.methods.map(({ verdict }) => verdict)).toEqual(['not-served', ...probes.map(() => 'works')]);
    expect(report?.methods[0]?.probe).toMatchObject({ requiredNodes: 'none' });
  });

  it('lists accounts once, of a node that has ever more', async () => {
    const node = await ScriptedNode.start();
    const created = '2100-01-01T00:00:00';
    node.script = ({ params }) => {
      const { start = '' } = params as { start?: string };
      return { accounts: Array.from({ length: 1_000 }, () => ({ name: `${start}a`, created })) };
    };
    const probes = allProbes.filter(({ method }) => method === listAccountsMethod);
    const [report] = await checkNodes([node.url], probes, { limitMs: 2_000 });
    await node.stop();
    expect(report?.methods.slice(1)).toMatchObject([{ verdict: 'works' }]);
    expect(node.callsOf(listAccountsMethod)).toBe(1);
  });

  it('does not accept that a node has no accounts', async () => {
    const findAccounts = 'database_api.find_accounts';
    devnet.node.misbehave({
      distort: ({ method }, result) => (method === findAccounts ? { accounts: [] } : result),
    });
    const [report] = await checkNodes([devnet.url], allProbes);
    const lacking = { verdict: 'not-served', detail: 'it has no account initminer' };
    expect(report?.methods.filter(({ probe }) => probe.method === findAccounts)).toMatchObject([lacking, lacking]);
  });

  it('looks up writes in the list of methods as hived returns it (plugins/json_rpc)', async () => {
    const node = await ScriptedNode.start();
    node.script = ({ method }) => (method === 'jsonrpc.get_methods' ? ['block_api.get_block', writes[0]] : {});
    const probes = forwardedProbes.filter(({ method }) => writes.includes(method));
    const [report] = await checkNodes([node.url], probes);
    await node.stop();
    expect(report?.methods.slice(1).map(({ verdict }) => verdict)).toEqual(['works', 'not-served']);
    expect(node.calls.map(({ method, params }) => [method, params])).not.toContainEqual([
      expect.stringContaining('broadcast'),
      expect.anything(),
    ]);
  });

  it('finds which REST APIs a node has, and requires none', async () => {
    const node = await ScriptedNode.start();
    const responses: Record<string, [status: number, body: string]> = {
      '/hafah-api/': [200, '{"openapi":"3.1.0"}'],
      '/hafsql/': [404, '<html>'],
      '/status-api/': [200, '{"jsonrpc":"2.0","error":{"code":-32700}}'],
      '/hafbe-api/': [503, 'down'],
    };
    node.pathScript = ({ target }, response) => {
      const [status, body] = responses[target] ?? [404, ''];
      response.writeHead(status).end(body);
    };
    const [report] = await checkNodes([node.url], Object.keys(responses).map(apiProbe));
    await node.stop();
    expect(report?.methods.slice(1).map(({ verdict, detail }) => [verdict, detail])).toEqual([
      ['works', undefined],
      ['not-served', undefined],
      ['not-served', undefined],
      ['fails', 'http-status (503)'],
    ]);
    expect(report?.methods.slice(1).every(({ ms }) => ms !== undefined)).toBe(true);
    expect(report?.methods[1]?.probe).toMatchObject({ requiredNodes: 'none' });
  });

  it.each(['total_payout_value', 'curator_payout_value', 'pending_payout'])(
    'fails without the field %s of virtual operations',
    async (field) => {
      devnet.node.misbehave({
        distort: (_call, result): unknown => JSON.parse(JSON.stringify(result).replaceAll(field, 'another')),
      });
      const [report] = await checkNodes([devnet.url], allProbes);
      expect(report?.methods.find(({ probe }) => probe.method.endsWith('enum_virtual_ops'))).toMatchObject({
        verdict: 'fails',
        detail: expect.stringContaining(field) as unknown,
      });
    },
  );

  it('says if no payout is seen', async () => {
    const quiet = await Devnet.start();
    quiet.produceBlocks(3);
    const [report] = await checkNodes([quiet.url], allProbes);
    await quiet.stop();
    expect(report?.methods.find(({ probe }) => probe.method.endsWith('enum_virtual_ops'))).toMatchObject({
      verdict: 'works',
      detail: expect.stringMatching(/^not seen in \d+ blocks: effective_comment_vote, comment_reward/) as unknown,
    });
  });

  it('calls of the nodes of each backend what the route table forwards to them', () => {
    const [node, other] = ['http://node.example', 'http://other.example'];
    const environment = { DATABASE_URL: 'postgres://localhost/x', HIVE_API_NODES: node };
    const config = readApiConfig(environment);
    const [backend] = config.routes.backends;
    const hafah = config.routes.paths.find(({ name }) => name === '/hafah-api/');
    if (backend === undefined || hafah === undefined) throw new Error('the route table has no backend or no such path');
    const paths = [...config.routes.paths, { ...hafah, name: '/stripped/', stripsPrefix: true }];
    const methodsOf = (backends: typeof config.routes.backends, routes = config.routes.routes) =>
      probesByNodes({ hive: config.hive, routes: { backends, routes, paths } }).map(({ urls, probes }) => [
        urls,
        probes.map(({ method }) => method),
      ]);
    expect(methodsOf([backend])).toEqual([
      [[node], expect.arrayContaining(['database_api.find_accounts', ...social, ...writes, '/hafah-api/']) as unknown],
    ]);
    // Nodes have no API under a prefix that is stripped.
    expect(methodsOf([backend])).toEqual([[[node], expect.not.arrayContaining(['/stripped/']) as unknown]]);
    // A server that is no Hive node has no calls to check.
    expect(methodsOf([{ ...backend, reportsHead: false }])).toEqual([[[node], ['database_api.find_accounts']]]);
    const bridge = config.routes.routes.map((route) =>
      route.name.startsWith('bridge') && route.fallback !== undefined
        ? { ...route, fallback: { ...route.fallback, to: 'social' } }
        : route,
    );
    const [own, others] = methodsOf([backend, { ...backend, name: 'social', urls: [other] }], bridge);
    expect(others).toEqual([[other], social.slice(0, 4)]);
    expect(own).toEqual([[node], expect.not.arrayContaining(['bridge.get_post']) as unknown]);
  });

  it('as a command, prints which REST APIs of the route table a node has', async () => {
    const script = path.join(__dirname, '../../dist/check-nodes.main.js');
    const { stdout } = await promisify(execFile)(process.execPath, [script, devnet.url]);
    for (const prefix of ['/hafah-api/', '/balance-api/'])
      expect(stdout).toMatch(new RegExp(`${prefix} +paths +not-served`));
  });

  describe('is logged once when a process starts, with what it calls', () => {
    const methodsIn = async (script: string): Promise<string> => {
      database = await freshDatabase();
      const env = { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: database.url, HIVE_API_NODES: devnet.url };
      const lines: string[] = [];
      const role = await GuardedProcess.start(process.execPath, [path.join(__dirname, '../../dist', script)], {
        ...{ env, stopSignal: 'SIGTERM', stopTimeoutMs: 30_000 },
        onLine: (line) => lines.push(line),
      });
      const reports = () => lines.filter((line) => line.includes('"msg":"Hive node checked"'));
      await until(() => reports().length > 0);
      await role.stop();
      expect(reports()).toHaveLength(1);
      return reports().join();
    };

    it('the API', async () => {
      const api = await methodsIn('main.js');
      expect(api).toContain('"bridge.get_post (forwarded)":"works');
      expect(api).toContain('"/hafah-api/ (paths)":"not-served');
      expect(api).not.toContain('enum_virtual_ops');
    });

    // Another process.
    longTest('the indexer', async () => {
      const indexer = await methodsIn('indexer.main.js');
      expect(indexer).toContain('"account_history_api.enum_virtual_ops (virtual operations)":"differs');
      expect(indexer).not.toContain('bridge.');
    });
  });
});
