import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getPrometheusProgram } from '@waggle/testing';

/**
 * Runs promtool in a folder with these files.
 *
 * @param files their contents by name, as JSON, which is valid YAML
 * @returns its output if it fails; empty if it succeeds
 */
export async function runPromtool(args: readonly string[], files: Record<string, object>): Promise<string> {
  const promtool = await getPrometheusProgram('promtool');
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-promtool-'));
  try {
    for (const [name, content] of Object.entries(files))
      writeFileSync(path.join(folder, name), JSON.stringify(content));
    const { status, stdout, stderr } = spawnSync(promtool, args, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? '' : `${stdout}${stderr}` || 'it failed without a message';
  } finally {
    rmSync(folder, { recursive: true });
  }
}
