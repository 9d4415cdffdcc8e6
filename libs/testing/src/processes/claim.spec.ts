import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AlreadyClaimedError, claim } from './claim';

const folder = mkdtempSync(path.join(tmpdir(), 'waggle-claim-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it('holds until it is released', () => {
  const file = path.join(folder, 'made', 'held');
  const release = claim(file);
  expect(() => claim(file)).toThrow(AlreadyClaimedError);
  release();
  claim(file)();
  expect(readdirSync(path.dirname(file))).toEqual([]);
});

it('is void when its process has ended', async () => {
  const file = path.join(folder, 'ended');
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  writeFileSync(file, `${child.pid ?? 0} 1\n`);
  claim(file)();
  expect(existsSync(file)).toBe(false);
});

it('is void when its process id belongs to another process', () => {
  const file = path.join(folder, 'reused');
  const release = claim(file);
  const [pid] = readFileSync(file, 'utf8').split(' ');
  writeFileSync(file, `${pid ?? ''} 1\n`);
  claim(file)();
  release();
});
