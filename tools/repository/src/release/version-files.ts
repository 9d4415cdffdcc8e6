import { PlainError } from '@waggle/running';

/**
 * Files that contain the version of the repository, and the text before it. API descriptions have separate versions.
 */
const versionFiles: readonly { files: RegExp; before: RegExp }[] = [
  { files: /(^|\/)package\.json$/, before: /"name": "(?:waggle|@waggle\/[\w-]+)",\s*"version": "/ },
  { files: /^(libs\/[\w-]+\/package|package-lock)\.json$/, before: /"@waggle\/[\w-]+": "/ },
  { files: /^package-lock\.json$/, before: /"name": "(?:waggle|@waggle\/[\w-]+)",\s*"version": "/ },
  { files: /^docker\/Dockerfile$/, before: /ARG VERSION=/ },
  { files: /^k8s\/overlays\/production\//, before: /newTag: / },
  { files: /^k8s\/chart\/Chart\.yaml$/, before: /[vV]ersion: / },
  { files: /^k8s\/chart\/README\.md$/, before: /waggle-/ },
  { files: /^k8s\/examples\//, before: /image: images\.example\.com\/waggle\/[\w-]+:/ },
  { files: /^libs\/client\/README\.md$/, before: /waggle-client-/ },
];

/**
 * Returns the files that change with another version, with their new content.
 *
 * @param files path from the root → content
 * @throws PlainError if no file of a kind contains a version
 */
export function raiseVersion(files: ReadonlyMap<string, string>, version: string): Map<string, string> {
  const raised = new Map<string, string>();
  for (const { files: kind, before } of versionFiles) {
    const found = [...files].filter(([file]) => kind.test(file));
    const pattern = new RegExp(`(${before.source})\\d+\\.\\d+\\.\\d+`, 'g');
    if (!found.some(([, text]) => text.search(pattern) >= 0))
      throw new PlainError(`No file that matches ${String(kind)} has a version.`);
    for (const [file, text] of found) {
      const next = text.replace(pattern, `$1${version}`);
      if (next !== text) raised.set(file, next);
    }
  }
  return raised;
}
