import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { getKubectl } from '@waggle/testing';

const root = path.resolve(__dirname, '../../../..');
const apps = ['chat', 'delegation', 'video-auth', 'rpc-gateway'];

/** Where nobody listens: kubectl reads a command whole, and what it applies, before it finds that out. */
const noCluster = 'http://127.0.0.1:9';
/** What a command with `-f -` reads here; the documents pipe another command's output into it. */
const pipedObject = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'chat' } });
const said = new Map<string, string>();

/** What is wrong with a command: to kubectl itself, and by what the manifests have. No cluster is asked. */
export function faultsOfKubectl(words: readonly string[]): string[] {
  return [...faultsByKubectl(words), ...faultsByManifests(words)];
}

function faultsByKubectl(words: readonly string[]): string[] {
  // The same command of each service is asked about once. A file that an earlier command makes is not there; another stands for it.
  const args = words
    .map((word) => word.replace(/(video-auth|rpc-gateway|delegation)(?!-indexer|-import)/, 'chat'))
    .map((word) => word.replace(/^--from-file=([\w.-]+)$/, '--from-file=$1=package.json'))
    .map((word) => word.replace(/^--from-env-file=[\w.-]+$/, '--from-env-file=docker/devnet.env'))
    .filter((word) => word !== '--dry-run=client');
  const key = JSON.stringify(args);
  const answer = said.get(key) ?? answerOf(args);
  said.set(key, answer);
  return /connection re|was refused/.test(answer) ? [] : [`kubectl says: ${answer}`];
}

function answerOf(args: readonly string[]): string {
  const { stdout, stderr, error } = spawnSync(getKubectl(), ['--server', noCluster, ...args], {
    cwd: root,
    encoding: 'utf8',
    input: pipedObject,
    timeout: 60_000,
    env: { PATH: process.env['PATH'], KUBECONFIG: '/nonexistent' },
  });
  return error === undefined ? stdout + stderr : error.message;
}

function faultsByManifests(words: readonly string[]): string[] {
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
