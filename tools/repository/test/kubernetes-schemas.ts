import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Manifest } from '@waggle/testing';
import { z } from 'zod';

const packages = path.resolve(__dirname, '../../../node_modules');

/**
 * Returns the module of a kind, which exports its type and a validator generated from Kubernetes' API description.
 * `kubernetes-models` follows every release of Kubernetes, and its version 4 runs on Node 20.
 */
function moduleOf({ apiVersion, kind }: Manifest): string {
  const isPrometheusOperator = apiVersion.startsWith('monitoring.coreos.com/');
  return path.join(
    packages,
    isPrometheusOperator ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models',
    apiVersion,
    kind,
  );
}

const models = z.record(
  z.string(),
  z.custom<new (data: Manifest) => { validate(): void }>((value) => typeof value === 'function'),
);

/** Finds missing fields and fields of a wrong type. @throws Error if Kubernetes has no such kind */
export function validationErrors(manifest: Manifest): string[] {
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
 * Returns the compiler's errors for the manifests as values of their types: unlike the validators, it rejects unknown,
 * such as misspelt, fields.
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
