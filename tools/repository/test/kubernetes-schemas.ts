import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Manifest } from '@waggle/testing';
import { z } from 'zod';

const packages = path.resolve(__dirname, '../../../node_modules');

/**
 * Where a kind's model is: its type, and a validator made of Kubernetes' own API description. `kubernetes-models` has both in
 * a package, follows every release of Kubernetes, and its version 4 runs on Node 20.
 */
function moduleOf({ apiVersion, kind }: Manifest): string {
  const isOperators = apiVersion.startsWith('monitoring.coreos.com/');
  return path.join(
    packages,
    isOperators ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models',
    apiVersion,
    kind,
  );
}

const models = z.record(
  z.string(),
  z.custom<new (data: Manifest) => { validate(): void }>((value) => typeof value === 'function'),
);

/** What is missing, or of a wrong type. @throws Error where Kubernetes knows no such kind */
export function faultsOf(manifest: Manifest): string[] {
  const Model = models.parse(jest.requireActual(moduleOf(manifest)))[manifest.kind];
  if (Model === undefined) throw new Error(`no kind ${manifest.kind} in ${manifest.apiVersion}`);
  try {
    new Model(manifest).validate();
    return [];
  } catch (error) {
    return [`${manifest.kind} ${manifest.metadata.name}: ${String(error)}`];
  }
}

/**
 * What the compiler says of the manifests as values of their types: a validator lets a field through that nobody knows, as
 * a misspelt one, and a type does not.
 */
export function unknownFieldsOf(manifests: readonly Manifest[]): string {
  const lines = manifests.map((manifest) => {
    const type = `import(${JSON.stringify(moduleOf(manifest))}).I${manifest.kind}`;
    return `void (${JSON.stringify(manifest)} satisfies ${type});`;
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-manifests-'));
  try {
    const file = path.join(folder, 'manifests.ts');
    writeFileSync(file, lines.join('\n'));
    const compiler = path.join(packages, 'typescript-native/bin/tsc');
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'preserve',
      '--moduleResolution',
      'bundler',
    ];
    const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, ...options, file], { encoding: 'utf8' });
    return status === 0 ? '' : stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
