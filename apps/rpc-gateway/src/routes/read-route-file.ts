import { hiveApiNodes } from '@waggle/service';
import { parseDocument } from 'yaml';
import { type z } from 'zod';
import { type BackendSettings, type PathRoute, type Route } from './route';
import {
  backendName,
  backendRow,
  type DefaultsRow,
  defaultsRow,
  pathRow,
  routeFile,
  routeName,
  routeRow,
} from './route-file-schema';
import { fallbackErrors, resolvePath, resolveRoute } from './resolve-route';

/** The route table, completed with its defaults and the environment. */
export interface RouteSettings {
  readonly backends: readonly BackendSettings[];
  readonly routes: readonly Route[];
  readonly paths: readonly PathRoute[];
}

/** The settings, or every error of the file. */
export type RouteFileResult = { readonly settings: RouteSettings } | { readonly errors: readonly string[] };

/** What the table refers to. */
export interface RouteFileContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The names of all methods, and the patterns of all paths, that this service implements. */
  readonly localMethods: readonly string[];
  /** Whether the variables with the URLs of nodes may be missing, as when a table is only checked. */
  readonly mayLackNodes?: boolean;
}

/** Reads the text of a route table. */
export function readRouteFile(text: string, context: RouteFileContext): RouteFileResult {
  const document = parseDocument(text, { schema: 'core', uniqueKeys: true });
  if (document.errors.length > 0)
    return { errors: document.errors.map(({ message }) => message.split('\n', 1)[0] ?? '') };
  const file = routeFile.safeParse(document.toJS());
  if (!file.success) return { errors: errorsOf(file.error) };
  const reader = new RouteReader(context);
  const settings = reader.read(file.data);
  return reader.errors.length > 0 ? { errors: reader.errors } : { settings };
}

/** Reads the parts of a file, and collects their errors: it continues after an error, to report all of them. */
class RouteReader {
  readonly errors: string[] = [];

  constructor(private readonly context: RouteFileContext) {}

  read({ backends, defaults, routes, paths }: z.infer<typeof routeFile>): RouteSettings {
    const targets = { backends: new Set(Object.keys(backends)), localMethods: this.context.localMethods };
    const backendSettings = Object.entries(backends).flatMap(([name, value]) => this.readBackend(name, value));
    const defaultOptions = this.readDefaults(defaults, targets.backends);
    const readRoute = (name: string, value: unknown): Route[] => {
      this.parse(routeName, name, ['routes']);
      const row = this.parse(routeRow, value, ['routes', name]);
      return row === undefined ? [] : this.routeOf('routes', name, resolveRoute(name, row, defaultOptions, targets));
    };
    const readPath = (prefix: string, value: unknown): PathRoute[] => {
      const row = this.parse(pathRow, value, ['paths', prefix]);
      return row === undefined ? [] : this.routeOf('paths', prefix, resolvePath(prefix, row, defaultOptions, targets));
    };
    return {
      backends: backendSettings,
      routes: Object.entries(routes).flatMap(([name, value]) => readRoute(name, value)),
      paths: Object.entries(paths).flatMap(([prefix, value]) => readPath(prefix, value)),
    };
  }

  private readBackend(name: string, declared: unknown): BackendSettings[] {
    this.parse(backendName, name, ['backends']);
    const row = this.parse(backendRow, declared, ['backends', name]);
    if (row === undefined) return [];
    const {
      nodes,
      connections,
      waiting: maxQueued,
      'hedge-percent': hedgePercent,
      'response-megabytes': megabytes,
      'shares-cursors': sharesCursors,
      'reports-head': reportsHead,
    } = row;
    const { environment, mayLackNodes = false } = this.context;
    const value = environment[nodes] ?? '';
    const urls = value === '' && mayLackNodes ? [] : (this.parse(hiveApiNodes, value, [nodes]) ?? []);
    const maxResponseBytes = megabytes * 1024 * 1024;
    return [{ name, urls, connections, maxQueued, hedgePercent, maxResponseBytes, sharesCursors, reportsHead }];
  }

  private readDefaults(declared: unknown, backends: ReadonlySet<string>): DefaultsRow | undefined {
    const defaults = this.parse(defaultsRow, declared, ['defaults']);
    if (defaults !== undefined && !backends.has(defaults.to))
      this.errors.push(`defaults.to: there is no backend ${defaults.to}`);
    this.errors.push(...fallbackErrors(defaults?.fallback, backends).map((error) => `defaults.fallback: ${error}`));
    return defaults;
  }

  /** Reports the errors of a row. @returns its route, if it has one */
  private routeOf<Resolved extends Route>(
    part: 'routes' | 'paths',
    name: string,
    { route, errors }: { readonly route: Resolved | undefined; readonly errors: readonly string[] },
  ): Resolved[] {
    this.errors.push(...errors.map((error) => `${part}.${name}: ${error}`));
    return route === undefined ? [] : [route];
  }

  /** Reports the errors of a value. @returns undefined if it has any */
  private parse<Schema extends z.ZodType>(
    schema: Schema,
    value: unknown,
    path: readonly string[],
  ): z.infer<Schema> | undefined {
    const result = schema.safeParse(value, { reportInput: false });
    if (result.success) return result.data;
    this.errors.push(...errorsOf(result.error, path));
    return undefined;
  }
}

function errorsOf(error: z.ZodError, path: readonly string[] = []): string[] {
  return error.issues.map((issue) => `${[...path, ...issue.path.map(String)].join('.')}: ${issue.message}`);
}
