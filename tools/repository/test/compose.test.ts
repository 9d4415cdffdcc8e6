import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { devnetKeys, seedAccounts } from '@waggle/devnet';
import { readComposition } from '@waggle/testing';

const root = path.resolve(__dirname, '../../..');
const services = readComposition();
const apps = ['chat', 'delegation', 'video-auth', 'rpc-gateway'];

it('has every process of every service', () => {
  for (const app of apps) {
    const processes = ['main', 'indexer.main', 'migrate.main'].filter((name) =>
      existsSync(path.join(root, `apps/${app}/src/${name}.ts`)),
    );
    const own = [...services].filter(([name]) => name === app || name.startsWith(`${app}-`));
    const scripts = own.map(([, { command = ['dist/main.js'] }]) => command);
    expect(scripts.sort()).toEqual(processes.map((name) => [`dist/${name}.js`]).sort());
  }
});

it('starts a service after its migrations and its dependencies', () => {
  for (const [name, { depends_on: needed }] of services)
    expect([name, Object.keys(needed).filter((other) => !services.has(other))]).toEqual([name, []]);
  for (const app of apps) {
    const done = { [`${app}-migrate`]: { condition: 'service_completed_successfully' } };
    expect(services.get(app)?.depends_on).toMatchObject(done);
    expect(services.get(`${app}-indexer`)?.depends_on ?? done).toMatchObject(done);
    expect(services.get(`${app}-migrate`)?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    const { environment = {}, depends_on = {} } = services.get(app) ?? {};
    const [, redis] = /^redis:\/\/([\w-]+):6379$/.exec(environment['REDIS_URL'] ?? '') ?? [];
    expect(Object.keys(depends_on).filter((name) => name.startsWith('redis'))).toEqual(
      redis === undefined ? [] : [redis],
    );
  }
});

it('evicts only cached responses from Redis', () => {
  const policyOf = (app: string) => {
    const [, redis = ''] = /^redis:\/\/([\w-]+):/.exec(services.get(app)?.environment['REDIS_URL'] ?? '') ?? [];
    return services.get(redis)?.command?.join(' ');
  };
  expect(policyOf('rpc-gateway')).toMatch(/--maxmemory \d+mb --maxmemory-policy allkeys-lru$/);
  for (const app of ['chat', 'video-auth']) expect(policyOf(app)).toMatch(/--maxmemory-policy noeviction$/);
});

it('checks the health of servers only', () => {
  const unchecked = [...services].filter(([, { healthcheck }]) => isDeepStrictEqual(healthcheck, { disable: true }));
  expect(unchecked.map(([name]) => name)).toEqual(apps.map((app) => `${app}-migrate`));
});

it('has the devnet as a profile, which docker/devnet.env activates', () => {
  expect([...services].filter(([, { profiles }]) => profiles.length > 0).map(([name]) => name)).toEqual(['devnet']);
  const settings = readFileSync(path.join(root, 'docker/devnet.env'), 'utf8');
  expect(settings).toContain('COMPOSE_PROFILES=devnet\n');
  expect(settings).toContain('HIVE_API_NODES=http://devnet:8091\n');
  const accounts = seedAccounts.map((name) => `${name}=${devnetKeys(name).posting.wif}`);
  expect(settings).toContain(`DEVNET_ACCOUNTS=${accounts.join()}\n`);
});
