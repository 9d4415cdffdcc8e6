import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigurationError } from '@waggle/service';
import { apiEnvironment, indexerEnvironment, readApiConfig, readIndexerConfig } from './config';

const needed = { DATABASE_URL: 'postgres://localhost/rpc-gateway', HIVE_API_NODES: 'https://node.example' };

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

it('has the port that the design names, and none of its limits is off', () => {
  expect(readApiConfig(needed).http.port).toBe(8080);
  expect(readIndexerConfig(needed).http.port).toBe(8180);
  expect(faultsOf(() => readApiConfig({ ...needed, CALLS_PER_MINUTE: '0' }))).toEqual([
    'CALLS_PER_MINUTE: must be at least 1',
  ]);
});

it('names every variable that is missing, for each role', () => {
  const missing = [expect.stringMatching(/^DATABASE_URL/), expect.stringMatching(/^HIVE_API_NODES/)];
  expect(faultsOf(() => readApiConfig({}))).toEqual(expect.arrayContaining(missing));
  expect(faultsOf(() => readIndexerConfig({}))).toEqual(expect.arrayContaining(missing));
});

describe('.env.example', () => {
  const example = readFileSync(path.join(__dirname, '..', '.env.example'), 'utf8');
  const linesOf = (pattern: RegExp) =>
    [...example.matchAll(pattern)].map(([, name = '', value = '']) => [name, value] as const);
  const set = linesOf(/^([A-Z][A-Z_]+)=(.*)$/gm);
  const commentedOut = linesOf(/^# ([A-Z][A-Z_]+)=(.*)$/gm);

  it('names every variable of both roles once', () => {
    const names = [...set, ...commentedOut].map(([name]) => name);
    const known = [...Object.keys(apiEnvironment.shape), ...Object.keys(indexerEnvironment.shape)];
    expect(names.sort()).toEqual([...new Set(known)].sort());
  });

  it('is valid for both', () => {
    expect(faultsOf(() => readApiConfig(Object.fromEntries(set)))).toEqual([]);
    expect(faultsOf(() => readIndexerConfig(Object.fromEntries(set)))).toEqual([]);
  });

  it('shows the defaults', () => {
    // The one variable whose default is another in each role.
    const others = Object.fromEntries(commentedOut.filter(([name]) => name !== 'PORT'));
    expect(readApiConfig({ ...needed, ...others })).toEqual(readApiConfig(needed));
    expect(readIndexerConfig({ ...needed, ...others })).toEqual(readIndexerConfig(needed));
    expect(Object.fromEntries(commentedOut)['PORT']).toBe('8080');
  });
});
