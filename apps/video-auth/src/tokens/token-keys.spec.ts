import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger } from '@waggle/service';
import { newKeyDocument } from './key-document';
import { TokenKeys } from './token-keys';

const folder = mkdtempSync(path.join(tmpdir(), 'video-auth-token-keys-'));
const file = path.join(folder, 'token-keys.json');

/** A file of other keys. @returns the `kid` of the one that signs */
function writeKeys(): string {
  const keys = newKeyDocument(new Date());
  writeFileSync(file, JSON.stringify(keys));
  return keys.current.kid;
}

let keys: TokenKeys;
beforeEach(async () => {
  writeKeys();
  keys = await TokenKeys.open({ file, reloadMs: 3_600_000 }, createLogger('test', 'silent'));
});
afterEach(() => {
  keys.close();
  jest.restoreAllMocks();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('an unknown kid', () => {
  it('is looked up in the current file, even directly after another unknown kid', async () => {
    expect(await keys.find('invented')).toBeUndefined();
    expect(await keys.find(writeKeys())).toBeDefined();
  });

  it('shares one read of the file with all pending lookups, so that a flood causes no extra reads', async () => {
    await keys.find('invented');
    const reads = jest.spyOn(promises, 'readFile');
    const sinceMs = performance.now();
    const found = Array.from({ length: 1_000 }, (_, index) => keys.find(`invented-${index}`));
    await Promise.all([...found, keys.find('invented')]);
    expect(reads).toHaveBeenCalledTimes(1);
    expect(performance.now() - sinceMs).toBeGreaterThan(900);
  });
});

it('warns that keys are generated for this process only, without a source', async () => {
  const lines: string[] = [];
  const logger = createLogger('test', 'info', { write: (line) => lines.push(line) });
  expect((await TokenKeys.open(undefined, logger)).published.keys).toHaveLength(2);
  expect(lines).toEqual([expect.stringMatching(/"warn".*generated a key for this process/)]);
});
