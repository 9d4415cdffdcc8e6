import { ConfigurationError } from '@waggle/service';
import { exampleSettings } from '@waggle/testing';
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

it('has room in the memory of responses for twice the longest response', () => {
  const faultsWith = (megabytes: string) => faultsOf(() => readApiConfig({ ...needed, ANSWER_MEGABYTES: megabytes }));
  expect(faultsWith('63')).toEqual([]);
  expect(faultsWith('64')).toEqual([expect.stringMatching(/^RESPONSE_MEMORY_MEGABYTES: must be at least twice/)]);
});

it('names every variable that is missing, for each role', () => {
  const missing = [expect.stringMatching(/^DATABASE_URL/), expect.stringMatching(/^HIVE_API_NODES/)];
  expect(faultsOf(() => readApiConfig({}))).toEqual(expect.arrayContaining(missing));
  expect(faultsOf(() => readIndexerConfig({}))).toEqual(expect.arrayContaining(missing));
});

describe('.env.example', () => {
  const { names, set, commentedOut } = exampleSettings('rpc-gateway');

  it('names every variable of both roles once', () => {
    const known = [...Object.keys(apiEnvironment.shape), ...Object.keys(indexerEnvironment.shape)];
    expect(names).toEqual([...new Set(known)].sort());
  });

  it('is valid for both', () => {
    expect(faultsOf(() => readApiConfig(set))).toEqual([]);
    expect(faultsOf(() => readIndexerConfig(set))).toEqual([]);
  });

  it('shows the defaults', () => {
    // The variables whose defaults differ between the roles.
    const { PORT, RESPONSE_MEGABYTES_PER_MINUTE, ...others } = commentedOut;
    expect(readApiConfig({ ...needed, ...others })).toEqual(readApiConfig(needed));
    expect(readIndexerConfig({ ...needed, ...others })).toEqual(readIndexerConfig(needed));
    expect(readApiConfig({ ...needed, PORT, RESPONSE_MEGABYTES_PER_MINUTE })).toEqual(readApiConfig(needed));
  });
});
