import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** For each folder or file directly under `src`: the others that it imports, and which of its files do. */
export type Imports = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Reads the imports, also of types, of all files under a `src` except unit tests. */
export function readImports(src: string): Imports {
  const imports = new Map<string, Map<string, string[]>>();
  for (const file of sourcesIn(src)) {
    const from = partOf(src, file);
    const importsOfPart = imports.get(from) ?? new Map<string, string[]>();
    imports.set(from, importsOfPart);
    for (const { fileName } of ts.preProcessFile(readFileSync(path.join(src, file), 'utf8')).importedFiles) {
      const to = fileName.startsWith('.') ? partOf(src, path.join(path.dirname(file), fileName)) : from;
      if (to !== from) importsOfPart.set(to, [...(importsOfPart.get(to) ?? []), file]);
    }
  }
  return imports;
}

function sourcesIn(src: string): string[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .sort();
}

/** `messages` for the module `messages/typing`, `app.ts` for `app`. */
function partOf(src: string, module: string): string {
  const [first = '', ...rest] = module.split(path.sep);
  return rest.length === 0 && existsSync(path.join(src, `${first}.ts`)) ? `${first}.ts` : first;
}

/**
 * Finds an import cycle. @returns each of its imports, as `upstream → rpc in upstream/backend.ts`; empty if there is
 * none
 */
export function findCycle(imports: Imports): string[] {
  const finished = new Set<string>();
  const visit = (name: string, trail: readonly string[]): string[] => {
    if (finished.has(name)) return [];
    if (trail.includes(name)) return [...trail.slice(trail.indexOf(name)), name];
    for (const imported of imports.get(name)?.keys() ?? []) {
      const cycle = visit(imported, [...trail, name]);
      if (cycle.length > 0) return cycle;
    }
    finished.add(name);
    return [];
  };
  const cycle = [...imports.keys()].map((name) => visit(name, [])).find(({ length }) => length > 0) ?? [];
  return cycle.slice(1).map((to, index) => {
    const from = cycle[index] ?? '';
    return `${from} → ${to} in ${imports.get(from)?.get(to)?.join(', ') ?? ''}`;
  });
}
