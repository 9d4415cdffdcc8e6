import { clientLimits } from './limits/client-settings';
import { exampleIn } from '@waggle/testing';
import { fastify } from 'fastify';
import { z } from 'zod';
import { ConfigurationError, httpOf, loadConfiguration, serviceEnvironment } from './configuration';
import { commaSeparated, fileContent, hiveApiNodes, redisUrls, ruleOver, secondsAsMs, wholeNumber } from './variables';

function errorsOf(schema: z.ZodType, environment: Record<string, string | undefined>): readonly string[] {
  try {
    loadConfiguration(schema, environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.errors;
    throw error;
  }
  return [];
}

describe('loadConfiguration', () => {
  const schema = z.object({ PORT: wholeNumber({ max: 65_535 }), NAME: z.string(), LIMIT: wholeNumber().default(5) });

  it('reads numbers and fills in defaults; an empty variable counts as absent', () => {
    expect(loadConfiguration(schema, { PORT: '80', NAME: 'x', LIMIT: '' })).toEqual({ PORT: 80, NAME: 'x', LIMIT: 5 });
  });

  it('reports all errors at once', () => {
    expect(errorsOf(schema, { PORT: '99999', LIMIT: 'many' })).toEqual([
      'PORT: must be at most 65535',
      expect.stringMatching(/^NAME: /),
      'LIMIT: must be a whole number',
    ]);
  });

  it('never repeats a value, which may be a secret', () => {
    const environment = { PORT: 's3cret', NAME: '', HIVE_API_NODES: 'ftp://user:s3cret@node' };
    const errors = errorsOf(schema.extend({ HIVE_API_NODES: hiveApiNodes }), environment);
    expect(errors).toHaveLength(3);
    expect(errors.join()).not.toContain('s3cret');
  });
});

describe('secondsAsMs', () => {
  const schema = z.object({
    DELAY_SECONDS: secondsAsMs({ defaultSeconds: 10 }),
    LIFE_SECONDS: secondsAsMs({ defaultSeconds: 7_776_000, maxSeconds: 10_000_000 }),
  });

  it('converts seconds to milliseconds, including defaults', () => {
    expect(loadConfiguration(schema, {})).toEqual({ DELAY_SECONDS: 10_000, LIFE_SECONDS: 7_776_000_000 });
    expect(loadConfiguration(schema, { DELAY_SECONDS: '1', LIFE_SECONDS: '10000000' })).toEqual({
      DELAY_SECONDS: 1_000,
      LIFE_SECONDS: 10_000_000_000,
    });
  });

  it('rejects 0 and values above the maximum', () => {
    expect(loadConfiguration(schema, { DELAY_SECONDS: '2147483' }).DELAY_SECONDS).toBeLessThan(2 ** 31);
    expect(errorsOf(schema, { DELAY_SECONDS: '0', LIFE_SECONDS: '1.5' })).toEqual([
      'DELAY_SECONDS: must be at least 1',
      'LIFE_SECONDS: must be a whole number',
    ]);
    expect(errorsOf(schema, { DELAY_SECONDS: '2147484', LIFE_SECONDS: '10000001' })).toEqual([
      'DELAY_SECONDS: must be at most 2147483',
      'LIFE_SECONDS: must be at most 10000000',
    ]);
  });
});

describe('ruleOver', () => {
  const schema = z
    .object({ LEAST: wholeNumber(), MOST: wholeNumber(), NAME: z.string() })
    .refine(({ LEAST, MOST }) => LEAST <= MOST, ruleOver(['LEAST', 'MOST'], 'must not be above MOST'));

  it('is reported together with the errors of other variables', () => {
    expect(errorsOf(schema, { LEAST: '2', MOST: '1' })).toEqual([
      expect.stringMatching(/^NAME: /),
      'LEAST: must not be above MOST',
    ]);
    expect(errorsOf(schema, { LEAST: '1', MOST: '2', NAME: 'x' })).toEqual([]);
  });

  it('is not checked if one of its variables is invalid', () => {
    expect(errorsOf(schema, { LEAST: '2', MOST: 'one', NAME: 'x' })).toEqual(['MOST: must be a whole number']);
  });
});

describe('the variables of every service', () => {
  it.each(['https://app.example', 'http://localhost:8080', 'capacitor://localhost', 'chrome-extension://abcdefgh'])(
    'accept %s as an origin',
    (origin) => {
      expect(errorsOf(serviceEnvironment, { PORT: '1', CORS_ORIGINS: origin })).toEqual([]);
    },
  );

  it.each(['*', 'app.example', 'https://app.example/', 'https://app.example/path'])(
    'reject %s as an origin',
    (origin) => {
      expect(errorsOf(serviceEnvironment, { PORT: '1', CORS_ORIGINS: `https://good.example, ${origin}` })).toHaveLength(
        1,
      );
    },
  );

  it.each([
    '127.0.0.1',
    '10.0.0.0/8',
    '192.168.1.1/32',
    '::1',
    'fc00::/7',
    '2001:db8::/128',
    'loopback',
    'linklocal',
    'uniquelocal',
  ])('accept %s as a trusted proxy, and so does the server', (proxy) => {
    const environment = { PORT: '1', TRUSTED_PROXIES: `10.1.2.3, ${proxy}` };
    const { TRUSTED_PROXIES } = loadConfiguration(serviceEnvironment, environment);
    expect(TRUSTED_PROXIES).toEqual(['10.1.2.3', proxy]);
    expect(() => fastify({ trustProxy: TRUSTED_PROXIES })).not.toThrow();
  });

  it.each([
    'true',
    '*',
    '1',
    'proxy.example',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '::/129',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '::1/',
  ])('reject %s as a trusted proxy', (proxy) => {
    expect(errorsOf(serviceEnvironment, { PORT: '1', TRUSTED_PROXIES: `10.1.2.3, ${proxy}` })).toEqual([
      expect.stringMatching(/^TRUSTED_PROXIES\.1: must list IP addresses/),
    ]);
  });

  it('set address, trusted proxies, drain delay and response limits of a service', () => {
    const env = loadConfiguration(serviceEnvironment, {
      HOST: '127.0.0.1',
      PORT: '3000',
      CORS_ORIGINS: 'https://app.example',
      TRUSTED_PROXIES: 'loopback',
      DRAIN_DELAY_SECONDS: '7',
      RESPONSE_MEMORY_MEGABYTES: '16',
      RESPONSE_MEGABYTES_PER_MINUTE: '60',
    });
    expect(httpOf(env)).toEqual({
      host: '127.0.0.1',
      port: 3_000,
      corsOrigins: ['https://app.example'],
      trustedProxies: ['loopback'],
      namedClients: [],
      drainDelayMs: 7_000,
      responses: { totalBytes: 16 * 1024 * 1024, bytesPerSecond: 1024 * 1024 },
    });
  });

  it('accept lists with blanks and empty entries', () => {
    expect(commaSeparated(z.string()).parse(' a, b,,c ')).toEqual(['a', 'b', 'c']);
  });

  it('require a Hive node', () => {
    expect(hiveApiNodes.safeParse(' , ').success).toBe(false);
  });

  it('accept one Redis, or several nodes of a cluster that differ only in host and port', () => {
    const schema = z.object({ REDIS_URL: redisUrls });
    const urlsOf = (REDIS_URL: string) => loadConfiguration(schema, { REDIS_URL }).REDIS_URL;
    expect(urlsOf('redis://localhost')).toEqual(['redis://localhost']);
    const nodes = ['rediss://user:word@one.example:7000', 'rediss://user:word@two.example'];
    expect(urlsOf(nodes.join(', '))).toEqual(nodes);
    for (const other of [
      'redis://user:word@two',
      'rediss://user:other@two',
      'rediss://two',
      'rediss://user:word@two/1',
    ]) {
      expect(errorsOf(schema, { REDIS_URL: `${nodes.join(',')},${other}` })).toEqual([
        'REDIS_URL: must differ in host and port alone, since they are nodes of one cluster',
      ]);
    }
    expect(errorsOf(schema, { REDIS_URL: ' , ' })).toEqual(['REDIS_URL: must name at least one Redis']);
    expect(errorsOf(schema, { REDIS_URL: 'redis://one,http://two' })).toEqual([
      'REDIS_URL.1: must be a URL (redis:, rediss:)',
    ]);
  });

  it('report a file that cannot be read', () => {
    expect(errorsOf(z.object({ KEY_FILE: fileContent }), { KEY_FILE: '/does/not/exist' })).toEqual([
      'KEY_FILE: must name a readable file',
    ]);
  });
});

describe('CLIENT_LIMITS', () => {
  const schema = clientLimits({ 'calls-at-once': 50, 'requests-per-minute': 1, 'logins-per-minute': 1 });
  const site = { name: 'site', addresses: ['192.0.2.0/24', '2001:db8::1'], limits: { 'requests-per-minute': 10 } };
  const bot = { name: 'bot', tokenSha256: ['0'.repeat(64)], limits: { 'logins-per-minute': 1 } };
  const issuesOf = (clients: unknown) =>
    schema.safeParse(JSON.stringify(clients)).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

  it('lists clients with their own limits', () => {
    expect(schema.parse(JSON.stringify([site, bot]))).toEqual([
      { ...site, tokenSha256: [] },
      { ...bot, addresses: [] },
    ]);
    expect(schema.parse(undefined)).toEqual([]);
  });

  it('may be the example of the README', () => {
    const example = exampleIn('libs/service/README.md', 'Clients with their own limits');
    const ofAll = clientLimits({ 'requests-per-minute': 1, 'response-megabytes-per-minute': 1 });
    expect(ofAll.parse(example.replace('<SHA-256 in hexadecimal>', '0'.repeat(64)))).toHaveLength(2);
  });

  it.each([
    [[{ ...site, addresses: ['192.0.2.0/33'] }], '0.addresses.0: must be an IP address or a CIDR range'],
    [[{ ...site, addresses: ['0.0.0.0/0'] }], '0.addresses.0: must be an IP address or a CIDR range'],
    [[{ ...site, addresses: [] }], '0: needs an address or a token'],
    [[{ ...site, tokenSha256: ['a token'] }], '0.tokenSha256.0: must be 64 hexadecimal digits'],
    [[{ ...site, name: '#' }], '0.name: must be 1 to 64 lower-case letters, digits or hyphens'],
    [[site, site], ': must have different names'],
    [[bot, { ...bot, name: 'another' }], ': must have different tokens'],
  ])('is invalid as %j', (clients, issue) => {
    expect(issuesOf(clients)).toEqual([issue]);
  });

  it.each([{ 'calls-per-minute': 1 }, { 'requests-per-minute': 0 }, { 'calls-at-once': 49 }, {}])(
    'is invalid with the limits %j',
    (limits) => {
      expect(issuesOf([{ ...site, limits }])).toContainEqual(expect.stringContaining('0.limits'));
    },
  );

  it('is invalid unless it is JSON', () => {
    expect(schema.safeParse('site').error?.issues).toMatchObject([{ message: 'must be JSON' }]);
  });
});
