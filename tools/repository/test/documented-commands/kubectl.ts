import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { getKubectl } from '@waggle/testing';

const root = path.resolve(__dirname, '../../../..');
const apps = ['chat', 'delegation', 'video-auth', 'rpc-gateway'];

/** A closed port: kubectl parses the command and the files before it connects. */
const noCluster = 'http://127.0.0.1:9';
/** The input of commands with `-f -`, into which the documents pipe the output of another command. */
const pipedObject = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'chat' } });
const outputs = new Map<string, string>();

/** Checks a command with kubectl, without a cluster, and compares its names with the manifests. */
export function checkKubectl(words: readonly string[]): string[] {
  return [...errorsOfKubectl(words), ...namesMissingInManifests(words)];
}

function errorsOfKubectl(words: readonly string[]): string[] {
  // The same command for another service need not be checked again. A file that an earlier command creates is replaced
  // by another one.
  const args = words
    .map((word) => word.replace(/(video-auth|rpc-gateway|delegation)(?!-indexer|-import)/, 'chat'))
    .map((word) => word.replace(/^--from-file=([\w.-]+)$/, '--from-file=$1=package.json'))
    .map((word) => word.replace(/^--from-env-file=[\w.-]+$/, '--from-env-file=docker/devnet.env'))
    .filter((word) => word !== '--dry-run=client');
  const key = JSON.stringify(args);
  const output = outputs.get(key) ?? outputOf(args);
  outputs.set(key, output);
  return /connection re|was refused/.test(output) ? [] : [`kubectl: ${output}`];
}

function outputOf(args: readonly string[]): string {
  const { stdout, stderr, error } = spawnSync(getKubectl(), ['--server', noCluster, ...args], {
    cwd: root,
    encoding: 'utf8',
    input: pipedObject,
    timeout: 60_000,
    env: { PATH: process.env['PATH'], KUBECONFIG: '/nonexistent' },
  });
  return error === undefined ? stdout + stderr : error.message;
}

function namesMissingInManifests(words: readonly string[]): string[] {
  const namespaces = ['production', 'local'].map(
    (overlay) => `namespace: waggle${overlay === 'local' ? '-local' : ''}`,
  );
  const manifests = [...yamlUnder('k8s/base'), ...yamlUnder('k8s/overlays'), ...yamlUnder('k8s/examples')];
  return words.flatMap((word, index) => {
    const before = words[index - 1];
    if (before === '-k') return existsSync(path.join(root, word, 'kustomization.yaml')) ? [] : [`no overlay ${word}`];
    if (before === '-n' && !namespaces.some((line) => line.endsWith(` ${word}`) && has(manifests, line)))
      return [`no namespace ${word}`];
    if (before === '-l') {
      const [key = '', value = ''] = word.split('=');
      return has(manifests, `${key}: ${value}`) ? [] : [`nothing has the label ${word}`];
    }
    if ((before === 'secret' && word !== 'generic') || before === 'generic')
      return apps.includes(word) ? [] : [`no secret ${word}`];
    const [, kind, name] = /^(deployment|job|service)\/([a-z-]+)$/.exec(
      before === 'deployment' || before === 'job' ? `${before}/${word}` : word,
    ) ?? [undefined, undefined, undefined];
    if (kind === undefined || name === undefined || name.startsWith('-')) return [];
    const declared = new RegExp(`kind: ${kind}\nmetadata:\n {2}name: ${name}$`, 'im');
    return manifests.some((text) => declared.test(text)) ? [] : [`no ${kind} ${name}`];
  });
}

function has(manifests: readonly string[], text: string): boolean {
  return manifests.some((manifest) => manifest.includes(text));
}

function yamlUnder(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return yamlUnder(file);
    return entry.name.endsWith('.yaml') ? [readFileSync(path.join(root, file), 'utf8')] : [];
  });
}
