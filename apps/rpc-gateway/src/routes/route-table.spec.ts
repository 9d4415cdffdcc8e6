import { readFileSync } from 'node:fs';
import path from 'node:path';
import { RpcError } from '@waggle/contracts';
import { localMethodNames } from '../local/local-methods';
import { formatRouteTable } from './format-route-table';
import { readRouteFile, type RouteSettings } from './read-route-file';
import { PathTable } from './path-table';
import { RouteTable } from './route-table';

const context = {
  environment: { NODES: 'https://u:s3cret@node.example/rpc,http://other.example:8091' },
  localMethods: ['bridge.account_notifications', 'bridge.get_profile'],
};

const head = `
backends:
  hive: { nodes: NODES }
defaults: { to: hive, timeout: 5s, cache: head, retries: 2, hedge: 500ms }
routes:
`;

function settingsOf(rows: string): RouteSettings {
  const read = readRouteFile(head + rows, context);
  if ('settings' in read) return read.settings;
  throw new Error(read.errors.join('\n'));
}

function errorsOf(text: string): readonly string[] {
  const read = readRouteFile(text, context);
  return 'errors' in read ? read.errors : [];
}

describe('a route table', () => {
  it('completes its rows with the defaults', () => {
    const { backends, routes } = settingsOf(`
  bridge:
  bridge.account_notifications: { to: local, timeout: 2s }
  condenser_api.get_config: { cache: 1h, stale: 24h, retries: 0, hedge: none }
  block_api.get_block_range: { cache: irreversible(starting_block_num + count) }
  network_broadcast_api: { write: true }
`);
    expect(backends).toEqual([
      {
        name: 'hive',
        urls: ['https://u:s3cret@node.example/rpc', 'http://other.example:8091'],
        connections: 64,
        maxQueued: 1_000,
        hedgePercent: 10,
        maxResponseBytes: 8 * 1024 * 1024,
        sharesCursors: false,
        reportsHead: true,
      },
    ]);
    const byDefault = { to: 'hive', timeoutMs: 5_000, retries: 2, hedgeMs: 500, staleMs: 0, isWrite: false };
    const once = { retries: 0, hedgeMs: undefined, cache: { kind: 'none' }, staleMs: 0 };
    expect(routes).toEqual([
      { ...byDefault, name: 'bridge', cache: { kind: 'head' } },
      {
        ...once,
        name: 'bridge.account_notifications',
        to: 'local',
        timeoutMs: 2_000,
        isWrite: false,
        // Forwarded as other reads are.
        fallback: { ...byDefault, name: 'bridge.account_notifications', timeoutMs: 2_000, cache: { kind: 'head' } },
      },
      {
        ...byDefault,
        name: 'condenser_api.get_config',
        cache: { kind: 'time', ms: 3_600_000 },
        staleMs: 86_400_000,
        retries: 0,
        hedgeMs: undefined,
      },
      {
        ...byDefault,
        name: 'block_api.get_block_range',
        cache: { kind: 'irreversible', block: { first: 'starting_block_num', count: 'count' } },
      },
      { ...once, name: 'network_broadcast_api', to: 'hive', timeoutMs: 5_000, isWrite: true },
    ]);
  });

  it('forwards local methods to the default backend, to another one, or not at all', () => {
    const table = (rows: string, defaults = '') => `
backends:
  hive: { nodes: NODES }
  other: { nodes: NODES }
defaults: { to: hive, timeout: 5s, cache: head, retries: 2, hedge: 500ms${defaults} }
routes:
  bridge.get_profile: ${rows}
`;
    const targetOf = (text: string) => {
      const result = readRouteFile(text, context);
      return 'settings' in result ? result.settings.routes[0]?.fallback?.to : result.errors;
    };
    expect(targetOf(table('{ to: local }'))).toBe('hive');
    expect(targetOf(table('{ to: local, fallback: other }'))).toBe('other');
    expect(targetOf(table('{ to: local, fallback: none }'))).toBeUndefined();
    expect(targetOf(table('{ to: local }', ', fallback: none'))).toBeUndefined();
    expect(targetOf(table('{ to: local, fallback: hive }', ', fallback: none'))).toBe('hive');
    expect(targetOf(table('{ to: local, fallback: nowhere }'))).toEqual([
      'routes.bridge.get_profile: there is no backend nowhere',
    ]);
    expect(targetOf(table('{ to: local }', ', fallback: nowhere'))).toEqual([
      'defaults.fallback: there is no backend nowhere',
    ]);
    expect(targetOf(table('{ fallback: other }'))).toEqual([
      'routes.bridge.get_profile: only a local method has a fallback',
    ]);
  });

  it('reports every error, without values that may be secret', () => {
    const text = `
backends:
  hive: { nodes: NODES, connections: 0 }
  local: { nodes: NODES }
  none: { nodes: NODES }
  other: { nodes: MISSING }
  last: { nodes: https://u:s3cret@node.example }
defaults: { to: hive, timeout: 5, cache: head, retries: 2, hedge: 500ms }
routes:
  Bridge: {}
  bridge: { to: local }
  bridge.get_post: { to: local, cache: head }
  bridge.account_notifications: { to: local, retries: 1 }
  block_api: { cache: sometimes, tiemout: 5s }
  rc_api: { to: nowhere, stale: 1d }
  condenser_api.broadcast_transaction: { retries: 1 }
  network_broadcast_api: { write: true, cache: head }
  tags_api: { cache: none, stale: 1m }
`;
    expect(errorsOf(text)).toEqual([
      'backends.hive.connections: Too small: expected number to be >=1',
      'backends: must not be local, the target of local methods',
      'backends: must not be none, which stands for no fallback',
      'MISSING: must name at least one node',
      'backends.last.nodes: must be the name of an environment variable',
      'defaults.timeout: Invalid input: expected string, received number',
      'routes: must be <namespace> or <namespace>.<query>',
      'routes.bridge: only a method can be local, not a namespace',
      'routes.bridge.get_post: there is no such local method',
      'routes.bridge.get_post: a local method has no cache',
      'routes.bridge.account_notifications: a local method has no retries',
      'routes.block_api.cache: must be none, head, a duration such as 10m, irreversible(block) or irreversible(first + count)',
      'routes.block_api: Unrecognized key: "tiemout"',
      'routes.rc_api.stale: must be a duration such as 500ms, 5s, 10m or 1h',
      'routes.condenser_api.broadcast_transaction: is a write: set write: true',
      'routes.network_broadcast_api: a write has no cache',
      'routes.tags_api: stale needs a cache',
    ]);
  });

  it.each([
    ['is not YAML', 'routes: ['],
    ['has a row twice', `${head}  bridge: {}\n  bridge: {}\n`],
    ['is empty', ''],
    ['names an unknown backend', head.replace('to: hive', 'to: nowhere')],
    ['makes methods local by default', `${head.replace('to: hive', 'to: local')}  bridge.get_profile:\n`],
    ['has stale responses without a cache by default', `${head.replace('head', 'none')}  bridge: { stale: 1m }\n`],
    ['has a timeout of more than a minute', `${head}  bridge: { timeout: 2m }\n`],
  ])('that %s is rejected', (_what, text) => {
    expect(errorsOf(text)).not.toEqual([]);
  });

  it('uses the most specific row, and rejects unknown methods and namespaces', () => {
    const table = new RouteTable(
      settingsOf(`
  bridge:
  bridge.account_notifications: { to: local }
  condenser_api.get_config:
`).routes,
    );
    expect(table.get('bridge.account_notifications').to).toBe('local');
    expect(table.get('bridge.get_post').name).toBe('bridge');
    const errorFor = (method: string) => {
      try {
        return table.get(method).name;
      } catch (error) {
        return error instanceof RpcError ? [error.code, error.message] : error;
      }
    };
    expect(errorFor('brigde.get_post')).toEqual([-32601, 'Api not found brigde']);
    expect(errorFor('condenser_api.get_post')).toEqual([
      -32602,
      'Assert Exception:unknown method: condenser_api.get_post',
    ]);
    expect(errorFor('__proto__.toString')).toEqual([-32601, 'Api not found __proto__']);
    expect(errorFor('bridge')).toEqual([-32602, 'Assert Exception:unknown method: bridge']);
    expect(errorFor('constructor')).toEqual([-32601, 'Api not found constructor']);
  });

  it('rejects queries that a namespace with methods does not list', () => {
    const table = new RouteTable(
      settingsOf('  bridge: { methods: [get_post] }\n  bridge.account_notifications: { to: local }\n  hive:\n').routes,
    );
    expect(table.get('bridge.get_post').name).toBe('bridge');
    expect(table.get('bridge.account_notifications').to).toBe('local');
    expect(table.get('hive.anything').name).toBe('hive');
    for (const method of ['bridge.get_pots', 'bridge.constructor', 'bridge.broadcast_post'])
      expect(() => table.get(method)).toThrow(`Assert Exception:unknown method: ${method}`);
    expect(errorsOf(`${head}  hive.x: { methods: [y] }\n  hive: { methods: [hive.x] }\n`)).toEqual([
      'routes.hive.x: only a namespace has methods',
      'routes.hive.methods.0: must be a query, without its namespace',
    ]);
  });

  it('lists the queries of the namespaces of the social gateways', () => {
    const read = readRouteFile(readFileSync(path.join(__dirname, '../../routes.yaml'), 'utf8'), {
      environment: {},
      localMethods: localMethodNames,
      mayLackNodes: true,
    });
    if (!('settings' in read)) throw new Error(read.errors.join());
    const table = new RouteTable(read.settings.routes);
    for (const method of ['condenser_api.get_accounts', 'condenser_api.broadcast_transaction'])
      expect(table.get(method)).toMatchObject({ to: 'hive' });
    // Two names of one method.
    for (const method of ['search-api.find_text', 'search_api.find_text'])
      expect(table.get(method)).toMatchObject({ to: 'hive', hedgeMs: undefined });
    for (const method of ['bridge.find_comments', 'condenser_api.find_comments', 'follow_api.x', 'search_api.x'])
      expect(() => table.get(method)).toThrow(`unknown method: ${method}`);
  });

  it('sends a broadcast once even if the row of its namespace is not a write', () => {
    const table = new RouteTable(settingsOf('  condenser_api:\n').routes);
    expect(table.get('condenser_api.broadcast_transaction')).toMatchObject({
      isWrite: true,
      retries: 0,
      hedgeMs: undefined,
      cache: { kind: 'none' },
    });
    expect(table.get('condenser_api.get_accounts')).toMatchObject({ isWrite: false, retries: 2 });
  });

  it('is formatted without credentials', () => {
    const text = formatRouteTable(
      settingsOf(`
  network_broadcast_api: { write: true, timeout: 9s }
  bridge: { stale: 90s }
  bridge.account_notifications: { to: local }
  condenser_api.get_block: { cache: irreversible(0), hedge: none }
`),
    );
    expect(text).toBe(
      [
        'route                         to     timeout  cache            stale  retries  hedge  write  fallback',
        'bridge                        hive   5s       head             90s    2        500ms',
        'bridge.account_notifications  local  5s                                                      hive',
        'condenser_api.get_block       hive   5s       irreversible(0)         2',
        'network_broadcast_api         hive   9s                                               once',
        '',
        'backend  connections  waiting  hedges  nodes',
        'hive     64           1000     10%     node.example, other.example:8091',
      ].join('\n'),
    );
  });
});

describe('the rows for paths', () => {
  const errorsOfPaths = (rows: string) => errorsOf(`${head}  bridge:\npaths:\n${rows}`);

  it('report every error', () => {
    expect(
      errorsOfPaths(`
  hafah-api: {}
  /hafah-api: {}
  /rpc/: {}
  /a-api/: { to: nowhere }
  /b-api/: { to: local }
  /c-api/: { cache: irreversible(block) }
  /d-api/: { write: true }
  /e-api/: { fallback: hive }
`),
    ).toEqual([
      'paths.hafah-api: must be a prefix such as /balance-api/, with a slash at both ends',
      'paths./hafah-api: must be a prefix such as /balance-api/, with a slash at both ends',
      'paths./rpc/: is a path of the gateway itself',
      'paths./a-api/: there is no backend nowhere',
      'paths./b-api/: there is no such local path',
      'paths./c-api/.cache: must be none, head or a duration',
      'paths./d-api/: Unrecognized key: "write"',
      'paths./e-api/: only a local path has a fallback',
    ]);
  });

  it.each([
    ['/hafah-api/blocks/1', '/hafah-api/', {}],
    ['/hafah-api', '/hafah-api/', {}],
    ['/hafah-api/blocks-api/1', '/hafah-api/blocks-api/', {}],
    [
      '/reputation-api/accounts/al%69ce/reputation',
      '/reputation-api/accounts/{account}/reputation',
      { account: 'alice' },
    ],
    ['/reputation-api/accounts/%ff/reputation', '/reputation-api/', {}],
    ['/reputation-api/accounts/a/b/reputation', '/reputation-api/', {}],
    ['/hafah-apis/x', undefined, undefined],
    ['/hafah-api/a/../b', undefined, undefined],
    ['/hafah-api/%2E%2e', undefined, undefined],
    ['/__proto__/', undefined, undefined],
  ])('match %s by %s', (target, name, params) => {
    const read = readRouteFile(
      `${head}  bridge:\npaths:\n  /hafah-api/:\n  /hafah-api/blocks-api/:\n  /reputation-api/:\n` +
        '  /reputation-api/accounts/{account}/reputation: { to: local }\n',
      { ...context, localMethods: localMethodNames },
    );
    const match = new PathTable('settings' in read ? read.settings.paths : []).find(target);
    expect([match?.route.name, match?.params]).toEqual([name, params]);
  });
});

describe('the route table that comes with the program', () => {
  const text = readFileSync(path.join(__dirname, '../../routes.yaml'), 'utf8');
  const environment = { HIVE_API_NODES: 'https://node.example' };

  it('has no errors, and every local method is local', () => {
    const result = readRouteFile(text, { environment, localMethods: localMethodNames });
    expect(result).not.toHaveProperty('errors');
    const rows = 'settings' in result ? [...result.settings.routes, ...result.settings.paths] : [];
    const localRows = rows.filter(({ to }) => to === 'local').map(({ name }) => name);
    expect(localRows.sort()).toEqual([...localMethodNames].sort());
  });
});
