import { PlainError } from '@waggle/running';
import { z } from 'zod';

/** Files that contain the version of the repository. API descriptions have separate versions. */
interface VersionFiles {
  /** @param file path from the root */
  matches: (file: string) => boolean;
  /** Returns the text with the new version, or undefined if it does not contain the old one. */
  raise: (text: string, from: string, to: string) => string | undefined;
}

/** Replaces every occurrence of the version between two texts. */
function between(before: string, after: string): VersionFiles['raise'] {
  return (text, from, to) => {
    const [old, raised] = [from, to].map((version) => `${before}${version}${after}`);
    return old !== undefined && text.includes(old) ? text.replaceAll(old, raised ?? '') : undefined;
  };
}

const packages = z.record(z.string(), z.string());
const manifest = z.record(z.string(), z.unknown());

/** Our packages depend on each other by exact version. The order of keys does not change. */
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

const versionFiles: readonly VersionFiles[] = [
  {
    matches: (file) => /(^|\/)package\.json$/.test(file) && !file.includes('/test/'),
    raise: (text, _from, to) => asFile(raiseManifest(JSON.parse(text), to)),
  },
  { matches: (file) => file === 'package-lock.json', raise: raiseLock },
  { matches: (file) => file === 'docker/Dockerfile', raise: between('ARG VERSION=', '\n') },
  { matches: (file) => file.startsWith('k8s/overlays/production/'), raise: between('newTag: ', ' }') },
  { matches: (file) => file === 'libs/client/README.md', raise: between('waggle-client-', '.tgz') },
];

/**
 * Returns the files that change with another version, with their new content.
 *
 * @param files path from the root → content
 * @throws PlainError if no file of a kind contains the version
 */
export function raiseVersion(files: ReadonlyMap<string, string>, from: string, to: string): Map<string, string> {
  const raised = new Map<string, string>();
  for (const { matches, raise } of versionFiles) {
    const found = [...files].filter(([file]) => matches(file));
    const changed = found.flatMap(([file, text]) => {
      const next = raise(text, from, to);
      return next === undefined ? [] : [{ file, text, next }];
    });
    if (changed.length === 0) throw new PlainError(`None of ${found.map(([file]) => file).join(', ')} has ${from}.`);
    for (const { file, text, next } of changed) if (next !== text) raised.set(file, next);
  }
  return raised;
}
