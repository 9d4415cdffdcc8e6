import { z } from 'zod';
import {
  commaSeparated,
  ConfigurationError,
  fileContent,
  hiveApiNodes,
  loadConfiguration,
  serviceEnvironment,
  wholeNumber,
} from './configuration';

function faultsOf(schema: z.ZodType, environment: Record<string, string | undefined>): readonly string[] {
  try {
    loadConfiguration(schema, environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

describe('loadConfiguration', () => {
  const schema = z.object({ PORT: wholeNumber({ most: 65_535 }), NAME: z.string(), LIMIT: wholeNumber().default(5) });

  it('reads numbers and fills in defaults; an empty variable counts as absent', () => {
    expect(loadConfiguration(schema, { PORT: '80', NAME: 'x', LIMIT: '' })).toEqual({ PORT: 80, NAME: 'x', LIMIT: 5 });
  });

  it('names every fault at once', () => {
    expect(faultsOf(schema, { PORT: '99999', LIMIT: 'many' })).toEqual([
      'PORT: must be at most 65535',
      expect.stringMatching(/^NAME: /),
      'LIMIT: must be a whole number',
    ]);
  });

  it('never repeats a value, which may be a secret', () => {
    const environment = { PORT: 's3cret', NAME: '', HIVE_API_NODES: 'ftp://user:s3cret@node' };
    const faults = faultsOf(schema.extend({ HIVE_API_NODES: hiveApiNodes }), environment);
    expect(faults).toHaveLength(3);
    expect(faults.join()).not.toContain('s3cret');
  });
});

describe('the variables of every service', () => {
  it.each(['https://app.example', 'http://localhost:8080', 'capacitor://localhost', 'chrome-extension://abcdefgh'])(
    'take %s as an origin',
    (origin) => {
      expect(faultsOf(serviceEnvironment, { PORT: '1', CORS_ORIGINS: origin })).toEqual([]);
    },
  );

  it.each(['*', 'app.example', 'https://app.example/', 'https://app.example/path'])(
    'refuses %s as an origin',
    (origin) => {
      expect(faultsOf(serviceEnvironment, { PORT: '1', CORS_ORIGINS: `https://good.example, ${origin}` })).toHaveLength(
        1,
      );
    },
  );

  it('takes lists with blanks and empty entries', () => {
    expect(commaSeparated(z.string()).parse(' a, b,,c ')).toEqual(['a', 'b', 'c']);
  });

  it('wants a Hive node', () => {
    expect(hiveApiNodes.safeParse(' , ').success).toBe(false);
  });

  it('says when a file cannot be read', () => {
    expect(faultsOf(z.object({ KEY_FILE: fileContent }), { KEY_FILE: '/does/not/exist' })).toEqual([
      'KEY_FILE: must name a readable file',
    ]);
  });
});
