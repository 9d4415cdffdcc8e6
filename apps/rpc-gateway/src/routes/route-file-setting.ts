import path from 'node:path';
import { fileContent } from '@waggle/service';
import { z } from 'zod';
import { readRouteFile, type RouteFileContext } from './read-route-file';

/** The table that comes with the program, beside its `package.json`. */
const defaultFile = path.join(__dirname, '..', '..', 'routes.yaml');

/** Parses the variable that names the route file into its settings, and reports every error of the file. */
export const routeFileSetting = (fileContext: RouteFileContext) =>
  z
    .string()
    .default(defaultFile)
    .pipe(fileContent)
    .transform((text, context) => {
      const read = readRouteFile(text, fileContext);
      if ('settings' in read) return read.settings;
      for (const error of read.errors) context.addIssue(error);
      return z.NEVER;
    });
