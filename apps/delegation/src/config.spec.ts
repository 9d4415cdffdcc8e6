import { ConfigurationError } from '@waggle/service';
import { exampleSettings } from '@waggle/testing';
import { apiEnvironment, indexerEnvironment, readApiConfig, readIndexerConfig } from './config';

const needed = { DATABASE_URL: 'postgres://localhost/delegation' };
const neededByIndexer = { ...needed, HIVE_API_NODES: 'https://node.example' };

function errorsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.errors;
    throw error;
  }
  return [];
}

describe('the configuration of the delegation service', () => {
  it('has the documented defaults', () => {
    expect(readApiConfig(needed)).toMatchObject({
      http: { port: 3_001, corsOrigins: [], trustedProxies: [] },
      database: { poolSize: 10 },
      rateLimits: { periodSeconds: 60, requests: 1_200 },
      pastRequests: { maxConcurrent: 2 },
      exports: { maxConcurrent: 50, maxDurationMs: 300_000 },
    });
    expect(readIndexerConfig(neededByIndexer)).toMatchObject({
      http: { port: 3_101 },
      startFrom: 'current-state',
      firstBlock: 1,
      backfills: false,
    });
  });

  it('reports every error, without values', () => {
    const bad = { DATABASE_URL: 'mysql://u:s3cret@x', PORT: 'http', EXPORTS_AT_ONCE: '0' };
    expect(errorsOf(() => readApiConfig(bad))).toEqual([
      'PORT: must be a whole number',
      'DATABASE_URL: must be a URL (postgres:, postgresql:)',
      'EXPORTS_AT_ONCE: must be at least 1',
    ]);
    const badIndexer = { HIVE_API_NODES: 'node.example', FIRST_BLOCK: '0', START_FROM: 'tomorrow', BACKFILL: 'yes' };
    expect(errorsOf(() => readIndexerConfig(badIndexer)).map((error) => error.split(':')[0])).toEqual([
      'DATABASE_URL',
      'HIVE_API_NODES.0',
      'START_FROM',
      'FIRST_BLOCK',
      'BACKFILL',
    ]);
  });

  it('rejects a backfill from the first block on', () => {
    const both = { ...neededByIndexer, START_FROM: 'first-block', BACKFILL: 'true' };
    expect(errorsOf(() => readIndexerConfig(both))).toEqual([expect.stringMatching(/^BACKFILL: is for START_FROM/)]);
  });

  describe('.env.example', () => {
    const { names, set, commentedOut } = exampleSettings('delegation');

    it('names every variable of both processes once', () => {
      const known = [...Object.keys(apiEnvironment.shape), ...Object.keys(indexerEnvironment.shape)];
      expect(names).toEqual([...new Set(known)].sort());
    });

    it('is valid for both processes', () => {
      expect(errorsOf(() => readApiConfig(set))).toEqual([]);
      expect(errorsOf(() => readIndexerConfig(set))).toEqual([]);
    });

    it('shows the defaults', () => {
      // The only variable whose default differs between the processes.
      const { PORT, ...others } = commentedOut;
      expect(readApiConfig({ ...needed, ...others })).toEqual(readApiConfig(needed));
      expect(readIndexerConfig({ ...neededByIndexer, ...others })).toEqual(readIndexerConfig(neededByIndexer));
      expect(PORT).toBe('3001');
    });
  });
});
