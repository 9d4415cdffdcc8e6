import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readRoutes, type RouteSurroundings } from './read-routes';

/** The table that comes with the program, beside its `package.json`. */
const ownFile = path.join(__dirname, '..', '..', 'routes.yaml');

/** The variable that names the file of the route table; its value is the table. Each fault of the table is one of the variable. */
export const routesFile = (surroundings: RouteSurroundings) =>
  z
    .string()
    .default(ownFile)
    .transform((file, context) => {
      const text = contentOf(file);
      const read = text === undefined ? { faults: ['must name a readable file'] } : readRoutes(text, surroundings);
      if ('settings' in read) return read.settings;
      for (const fault of read.faults) context.addIssue(fault);
      return z.NEVER;
    });

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
