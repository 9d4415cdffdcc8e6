import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { z } from 'zod';

/** Finds the calls in the sources that run a statement of TypeORM, such as `SessionsStore.create`. */
export function findRepositoryCalls(): string[] {
  const script = path.join(__dirname, 'print-repository-calls.cjs');
  return z.array(z.string()).parse(JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' })));
}
