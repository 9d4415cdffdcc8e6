import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { z } from 'zod';

/** A statement in the sources of the chat. */
export interface SourceStatement {
  /** That by which it is prepared, else where it stands. */
  name: string;
  /** What its text looks like; undefined where TypeORM writes it. */
  pattern: RegExp | undefined;
}

const printed = z.array(
  z.object({
    name: z.string(),
    pattern: z
      .string()
      .nullable()
      .transform((pattern) => (pattern === null ? undefined : new RegExp(pattern))),
  }),
);

/** Every statement in the sources but those of migrations. */
export function findStatements(): SourceStatement[] {
  const json = execFileSync(process.execPath, [path.join(__dirname, 'print-statements.cjs')], { encoding: 'utf8' });
  return printed.parse(JSON.parse(json));
}
