import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

const manifest = z.looseObject({ version: z.string(), dependencies: z.record(z.string(), z.string()).default({}) });

/**
 * Packs the built chat, the npm packages that it needs, and the programs of `docker/server` for a Debian server. The
 * same commit and packages give the same bytes. Needs GNU tar and the npm registry.
 *
 * @param root the repository, with a built chat
 * @returns the archive, below `docker/dist`
 */
export function packServer(root: string): string {
  const { version } = readManifest(root, '.');
  const name = `waggle-${version}`;
  const staging = mkdtempSync(path.join(tmpdir(), 'waggle-archive-'));
  try {
    const folder = path.join(staging, name);
    const copy = (file: string, to = file) => {
      cpSync(path.join(root, file), path.join(folder, to), { recursive: true });
    };
    const projects = ['apps/chat', ...ownLibraries(root, 'apps/chat')];
    for (const file of ['package.json', 'package-lock.json', '.npmrc', 'LICENSE']) copy(file);
    for (const project of projects) copy(`${project}/package.json`);
    // As in the image: without optional peers of packages, such as drivers of other databases.
    const omitted = ['dev', 'peer', 'optional'].map((kind) => `--omit=${kind}`);
    execFileSync('npm', ['ci', ...omitted, '-w', '@waggle/chat'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    for (const project of projects) copy(`${project}/dist`);
    copy('docker/server', 'server');
    copy('docs/own-server.md', 'README.md');
    const archive = path.join(root, 'docker/dist', `${name}.tar.gz`);
    mkdirSync(path.dirname(archive), { recursive: true });
    const committedAt = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).trim();
    const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
    const options = [...same, `--mtime=@${committedAt}`, '--use-compress-program=gzip -n'];
    execFileSync('tar', ['-C', staging, ...options, '-cf', archive, name]);
    return archive;
  } finally {
    rmSync(staging, { recursive: true });
  }
}

/** Returns the folders of the libraries of this repository that a project needs to run. */
function ownLibraries(root: string, project: string): string[] {
  const own = Object.keys(readManifest(root, project).dependencies)
    .filter((dependency) => dependency.startsWith('@waggle/'))
    .map((dependency) => dependency.replace('@waggle', 'libs'));
  return [...new Set(own.flatMap((library) => [library, ...ownLibraries(root, library)]))];
}

function readManifest(root: string, project: string): z.infer<typeof manifest> {
  return manifest.parse(JSON.parse(readFileSync(path.join(root, project, 'package.json'), 'utf8')));
}
