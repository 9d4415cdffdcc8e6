import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

/** What an example takes for granted, and what is asked of it. */
interface ExampleOptions {
  /** What it imports, by the name of the package. */
  modules?: Readonly<Record<string, unknown>>;
  /** What it uses and does not declare, by its name. */
  surroundings?: Readonly<Record<string, unknown>>;
  /** Names that it declares, whose values are asked for. */
  results?: readonly string[];
}

const asFunction = z.object({
  example: z.custom<(given: object) => Promise<unknown>>((value) => typeof value === 'function'),
});

/**
 * Runs TypeScript of a document as it stands; within Jest alone, which compiles it.
 *
 * @returns what it returns, where it does, else the results
 */
export async function runExample(
  text: string,
  { modules = {}, surroundings = {}, results = [] }: ExampleOptions,
): Promise<unknown> {
  const moduleNamed = (name: string) => {
    if (!Object.hasOwn(modules, name)) throw new Error(`the example imports ${name}`);
    return modules[name];
  };
  const body = text.replaceAll(/^import (\{[^}]*\}) from '([^']+)';$/gm, "const $1 = moduleNamed('$2');");
  const names = ['moduleNamed', ...Object.keys(surroundings)];
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-example-'));
  try {
    const file = path.join(folder, 'example.ts');
    writeFileSync(
      file,
      `export const example = async ({ ${names.join(', ')} }) => {\n${body}\nreturn { ${results.join(', ')} };\n};\n`,
    );
    const { example } = asFunction.parse(await import(file));
    return await example({ ...surroundings, moduleNamed });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
