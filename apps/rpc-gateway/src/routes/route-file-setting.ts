import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readRouteFile, type RouteFileContext } from './read-route-file';

/** The table that comes with the program, beside its `package.json`. */
const defaultFile = path.join(__dirname, '..', '..', 'routes.yaml');

/** Parses the variable that names the route file into its settings, and reports every error of the file. */
export const routeFileSetting = (fileContext: RouteFileContext) =>
  z
    .string()
    .default(defaultFile)
    .transform((file, context) => {
      const text = contentOf(file);
      const read = text === undefined ? { errors: ['must name a readable file'] } : readRouteFile(text, fileContext);
      if ('settings' in read) return read.settings;
      for (const error of read.errors) context.addIssue(error);
      return z.NEVER;
    });

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
