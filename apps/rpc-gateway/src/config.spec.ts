import { ConfigurationError } from '@waggle/service';
import { exampleSettings } from '@waggle/testing';
import { apiEnvironment, indexerEnvironment, readApiConfig, readIndexerConfig } from './config';

const needed = { DATABASE_URL: 'postgres://localhost/rpc-gateway', HIVE_API_NODES: 'https://node.example' };

function errorsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.errors;
    throw error;
  }
  return [];
}

it('uses the documented ports, and does not allow limits to be disabled', () => {
  expect(readApiConfig(needed).http.port).toBe(8080);
  expect(readIndexerConfig(needed).http.port).toBe(8180);
  expect(errorsOf(() => readApiConfig({ ...needed, CALLS_PER_MINUTE: '0' }))).toEqual([
    'CALLS_PER_MINUTE: must be at least 1',
  ]);
});

it('leaves connections to each node for others when an address has as many calls in flight as it may have', () => {
  const { routes, rateLimits } = readApiConfig(needed);
  for (const { connections } of routes.backends) expect(rateLimits.inFlight).toBeLessThan(connections);
});

it('requires memory for twice the longest response', () => {
  const errorsWith = (megabytes: string) =>
    errorsOf(() => readApiConfig({ ...needed, RESPONSE_MEGABYTES_PER_REQUEST: megabytes }));
  expect(errorsWith('63')).toEqual([]);
  expect(errorsWith('64')).toEqual([expect.stringMatching(/^RESPONSE_MEMORY_MEGABYTES: must be at least twice/)]);
});

it.each([
  ['all', '90', null],
  ['none', '90', 90],
  ['recent:30', '90', 90],
  ['recent:365', '90', 365],
])('keeps bodies with POST_BODIES=%s and NOTIFICATION_DAYS=%s for %s days', (POST_BODIES, NOTIFICATION_DAYS, days) => {
  expect(readIndexerConfig({ ...needed, POST_BODIES, NOTIFICATION_DAYS }).bodyDays).toBe(days);
});

it.each(['recent', 'recent:0', 'recent:99999', 'ALL'])('rejects %j as POST_BODIES', (POST_BODIES) => {
  expect(errorsOf(() => readIndexerConfig({ ...needed, POST_BODIES }))).toHaveLength(1);
});

it('reports a route file that it cannot read', () => {
  expect(errorsOf(() => readApiConfig({ ...needed, ROUTES_FILE: '/nowhere.yaml' }))).toEqual([
    'ROUTES_FILE: must name a readable file',
  ]);
});

it('reports every missing variable of each process', () => {
  const missing = [expect.stringMatching(/^DATABASE_URL/), expect.stringMatching(/^HIVE_API_NODES/)];
  expect(errorsOf(() => readApiConfig({}))).toEqual(expect.arrayContaining(missing));
  expect(errorsOf(() => readIndexerConfig({}))).toEqual(expect.arrayContaining(missing));
});

describe('.env.example', () => {
  const { names, set, commentedOut } = exampleSettings('rpc-gateway');

  it('documents every variable of both processes once', () => {
    const known = [...Object.keys(apiEnvironment.shape), ...Object.keys(indexerEnvironment.shape)];
    expect(names).toEqual([...new Set(known)].sort());
  });

  it('is valid for both processes', () => {
    expect(errorsOf(() => readApiConfig(set))).toEqual([]);
    expect(errorsOf(() => readIndexerConfig(set))).toEqual([]);
  });

  it('shows the defaults', () => {
    // The defaults of these two differ between the processes.
    const { PORT, RESPONSE_MEGABYTES_PER_MINUTE, ...others } = commentedOut;
    expect(readApiConfig({ ...needed, ...others })).toEqual(readApiConfig(needed));
    expect(readIndexerConfig({ ...needed, ...others })).toEqual(readIndexerConfig(needed));
    expect(readApiConfig({ ...needed, PORT, RESPONSE_MEGABYTES_PER_MINUTE })).toEqual(readApiConfig(needed));
  });
});
