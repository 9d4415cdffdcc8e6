import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { withDatabase } from '../postgres/with-database';

/** The environment of an example, and the values to return. */
interface ExampleOptions {
  /** Modules that it imports, by package name. */
  modules?: Readonly<Record<string, unknown>>;
  /** Variables that it uses and does not declare, by name. */
  globals?: Readonly<Record<string, unknown>>;
  /** Names of declared variables whose values are returned. */
  results?: readonly string[];
}

const asFunction = z.object({
  example: z.custom<(given: object) => Promise<unknown>>((value) => typeof value === 'function'),
});

/**
 * Runs TypeScript of a document unchanged; only within Jest, which compiles it.
 *
 * @returns its return value if there is one, otherwise the results
 */
export async function runExample(
  text: string,
  { modules = {}, globals = {}, results = [] }: ExampleOptions,
): Promise<unknown> {
  const moduleNamed = (name: string): unknown => {
    if (!Object.hasOwn(modules, name)) throw new Error(`the example imports ${name}`);
    return modules[name];
  };
  const body = text.replaceAll(/^import (\{[^}]*\}) from '([^']+)';$/gm, "const $1 = moduleNamed('$2');");
  const names = ['moduleNamed', ...Object.keys(globals)];
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-example-'));
  try {
    const file = path.join(folder, 'example.ts');
    writeFileSync(
      file,
      `export const example = async ({ ${names.join(', ')} }) => {\n${body}\nreturn { ${results.join(', ')} };\n};\n`,
    );
    const { example } = asFunction.parse(await import(file));
    return await example({ ...globals, moduleNamed });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the statements of a document in sequence. @throws the error of the first that fails; Error if there are none */
export async function runStatements(databaseUrl: string, statements: readonly string[]): Promise<void> {
  if (statements.length === 0) throw new Error('there are no statements');
  await withDatabase(databaseUrl, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}
