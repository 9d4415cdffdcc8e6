import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AlreadyClaimedError, claim } from './claim';

const folder = mkdtempSync(path.join(tmpdir(), 'waggle-claim-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it('holds until it is released', () => {
  const claimed = path.join(folder, 'made', 'held');
  const release = claim(claimed);
  expect(() => claim(claimed)).toThrow(AlreadyClaimedError);
  release();
  claim(claimed)();
  expect(readdirSync(path.dirname(claimed))).toEqual([]);
});

it('is void when its process has ended', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  expectVoid('ended', `${child.pid ?? 0} 1`);
});

it('is void when its process id belongs to another process', () => {
  expectVoid('reused', `${process.pid} 1`);
});

/** @param holder the name of the file of a claim */
function expectVoid(name: string, holder: string): void {
  const claimed = path.join(folder, name);
  mkdirSync(claimed);
  writeFileSync(path.join(claimed, holder), '');
  const release = claim(claimed);
  expect(readdirSync(claimed)).not.toContain(holder);
  release();
  expect(readdirSync(folder)).not.toContain(name);
}
