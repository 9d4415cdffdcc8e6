import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** For each folder or file directly under `src`: the others that it imports, and which of its files do. */
export type Imports = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Validates settings by rules of the features that read them, so it imports features that import it. */
const uncheckedFile = 'config.ts';

/** Reads the imports, including those of types, of all files under a `src` except unit tests and `config.ts`. */
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
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && file !== uncheckedFile)
    .sort();
}

/** `messages` for the module `messages/typing`, `app.ts` for `app`. */
function partOf(src: string, module: string): string {
  const [first = '', ...rest] = module.split(path.sep);
  return rest.length === 0 && existsSync(path.join(src, `${first}.ts`)) ? `${first}.ts` : first;
}

/** Finds a circle of imports. @returns each import of it, as `upstream → rpc in upstream/backend.ts` */
export function findCircle(imports: Imports): string[] {
  const finished = new Set<string>();
  const visit = (name: string, way: readonly string[]): string[] => {
    if (finished.has(name)) return [];
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    for (const imported of imports.get(name)?.keys() ?? []) {
      const circle = visit(imported, [...way, name]);
      if (circle.length > 0) return circle;
    }
    finished.add(name);
    return [];
  };
  const circle = [...imports.keys()].map((name) => visit(name, [])).find(({ length }) => length > 0) ?? [];
  return circle.slice(1).map((to, index) => {
    const from = circle[index] ?? '';
    return `${from} → ${to} in ${imports.get(from)?.get(to)?.join(', ') ?? ''}`;
  });
}
