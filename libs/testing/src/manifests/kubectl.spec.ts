import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findKubectl } from './kubectl';

// The first run on a machine fetches 36 MB.
const firstLine = /^no kubectl 1\.27 or newer: [^\n]* \(fetching it failed: ([^\n]*)\)$/;

it('finds one on a machine with only Node, npm and a shell', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-path-'));
  try {
    for (const program of ['node', 'npm', 'sh']) {
      const file = execFileSync('sh', ['-c', 'command -v "$0"', program], { encoding: 'utf8' }).trim();
      symlinkSync(file, path.join(folder, program));
    }
    const find = () => findKubectl({ ...process.env, PATH: folder, KUBECTL: undefined });
    if (process.platform !== 'linux' || process.arch !== 'x64') expect(find).toThrow(firstLine);
    else expect(execFileSync(find(), ['version', '--client'], { encoding: 'utf8' })).toContain('Client Version: v1.');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('rejects an invalid KUBECTL, in one line', () => {
  expect(() => findKubectl({ ...process.env, KUBECTL: '/nonexistent' })).toThrow(firstLine);
});
