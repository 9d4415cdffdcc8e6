import { PlainError } from '@waggle/running';
import { z } from 'zod';

/** The repository's version in one kind of file. Descriptions of APIs have versions of their own. */
interface Place {
  /** Path from the root. */
  isIn: (file: string) => boolean;
  /** @returns the text with the new version, or undefined where it does not name the old one */
  raise: (text: string, from: string, to: string) => string | undefined;
}

/** Everywhere between two texts. */
function between(before: string, after: string): Place['raise'] {
  return (text, from, to) => {
    const [old, raised] = [from, to].map((version) => `${before}${version}${after}`);
    return old !== undefined && text.includes(old) ? text.replaceAll(old, raised ?? '') : undefined;
  };
}

const packages = z.record(z.string(), z.string());
const manifest = z.record(z.string(), z.unknown());

/** Our packages name one another by exact versions. Keys stay in their order. */
function raiseManifest(value: unknown, to: string): unknown {
  const entries = Object.entries(manifest.parse(value)).map(([key, part]) => {
    if (key === 'version') return [key, to];
    return [key, /^(dev)?dependencies$/i.test(key) ? raiseOurs(packages.parse(part), to) : part];
  });
  return Object.fromEntries(entries);
}

function raiseOurs(versions: Record<string, string>, to: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(versions).map(([name, version]) => [name, name.startsWith('@waggle/') ? to : version]),
  );
}

const asFile = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function raiseLock(text: string, _from: string, to: string): string {
  const raised = Object.entries(manifest.parse(JSON.parse(text))).map(([key, part]) => {
    if (key === 'version') return [key, to];
    return [key, key === 'packages' ? raiseLocked(manifest.parse(part), to) : part];
  });
  return asFile(Object.fromEntries(raised));
}

function raiseLocked(locked: Record<string, unknown>, to: string): unknown {
  const raised = Object.entries(locked).map(([folder, entry]) => [
    folder,
    folder.includes('node_modules/') ? entry : raiseManifest(entry, to),
  ]);
  return Object.fromEntries(raised);
}

const places: readonly Place[] = [
  {
    isIn: (file) => /(^|\/)package\.json$/.test(file) && !file.includes('/test/'),
    raise: (text, _from, to) => asFile(raiseManifest(JSON.parse(text), to)),
  },
  { isIn: (file) => file === 'package-lock.json', raise: raiseLock },
  { isIn: (file) => file === 'docker/Dockerfile', raise: between('ARG VERSION=', '\n') },
  { isIn: (file) => file.startsWith('k8s/overlays/production/'), raise: between('newTag: ', ' }') },
  { isIn: (file) => file === 'libs/client/README.md', raise: between('waggle-client-', '.tgz') },
];

/**
 * What the files are with another version; those that do not change are not in it.
 *
 * @param files path from the root → content
 * @throws PlainError where a kind of file that names the version does not any more
 */
export function raiseVersion(files: ReadonlyMap<string, string>, from: string, to: string): Map<string, string> {
  const raised = new Map<string, string>();
  for (const { isIn, raise } of places) {
    const found = [...files].filter(([file]) => isIn(file));
    const changed = found.flatMap(([file, text]) => {
      const next = raise(text, from, to);
      return next === undefined ? [] : [{ file, text, next }];
    });
    if (changed.length === 0) throw new PlainError(`None of ${found.map(([file]) => file).join(', ')} has ${from}.`);
    for (const { file, text, next } of changed) if (next !== text) raised.set(file, next);
  }
  return raised;
}
