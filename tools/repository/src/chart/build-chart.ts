import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { kustomize, type Manifest, manifest } from '@waggle/testing';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

/** Kustomize appends a hash to the names of generated ConfigMaps, of letters that form no words. */
const hashed = /^(?<name>.*)-[2456789bcdfghkmt]{10}$/;

/**
 * Writes the Helm chart: `k8s/chart` with the objects of each service in `k8s/base`, which its templates change.
 *
 * @param address the web address of the repository's files. Without it, its README has no links to other documents.
 * @throws Error if kubectl is missing, or rejects the manifests
 */
export function buildChart(repository: string, folder: string, address?: string): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(path.join(repository, 'k8s/chart'), folder, { recursive: true });
  const readme = path.join(folder, 'README.md');
  writeFileSync(readme, withoutRelativeLinks(readFileSync(readme, 'utf8'), folder, address));
  mkdirSync(path.join(folder, 'objects'));
  const base = path.join(repository, 'k8s/base');
  for (const service of readdirSync(base)) {
    const objects = objectsOf(kustomize(path.join(base, service)));
    writeFileSync(path.join(folder, 'objects', `${service}.json`), JSON.stringify(objects, null, 2));
  }
}

/** Makes relative links absolute or plain text, except to files of the chart. */
function withoutRelativeLinks(markdown: string, folder: string, address: string | undefined): string {
  return markdown.replaceAll(
    /\[([^\]]*)\]\((?!https?:|#)([^)#]*)(#[^)]*)?\)/g,
    (link, text: string, file: string, anchor = '') => {
      if (existsSync(path.join(folder, file))) return link;
      return address === undefined ? text : `[${text}](${address}/${path.posix.join('k8s/chart', file)}${anchor})`;
    },
  );
}

/** Parses a YAML stream, and removes the hashes from the names of ConfigMaps and the references to them. */
export function objectsOf(yaml: string): Manifest[] {
  const objects = parseAllDocuments(yaml).map((document) => manifest.parse(document.toJS()));
  const maps = objects.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name);
  const text = maps.reduce((json, map) => {
    const name = hashed.exec(map)?.groups?.['name'] ?? map;
    return json.replaceAll(JSON.stringify(map), JSON.stringify(name));
  }, JSON.stringify(objects));
  return z.array(manifest).parse(JSON.parse(text));
}
