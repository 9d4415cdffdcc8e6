import { hiveApiNodes } from '@waggle/service';
import { parseDocument } from 'yaml';
import { type z } from 'zod';
import { type BackendSettings, local, type Route } from './route';
import { backendName, backendRow, type DefaultsRow, defaultsRow, routeFile, routeName, routeRow } from './route-file';
import { resolveRoute } from './resolve-route';

/** The route table as it is written, with what it leaves to the defaults and to the environment. */
export interface RouteSettings {
  readonly backends: readonly BackendSettings[];
  readonly routes: readonly Route[];
}

/** Either all is well, or every fault is told. */
export type ReadRoutes = { readonly settings: RouteSettings } | { readonly faults: readonly string[] };

/** What the table refers to. */
export interface RouteSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The names of all methods that the index answers. */
  readonly localMethods: readonly string[];
  /** Whether variables with URLs of nodes may be missing, as where a table is only looked at. */
  readonly mayLackNodes?: boolean;
}

/** Reads the text of a route table. */
export function readRoutes(text: string, surroundings: RouteSurroundings): ReadRoutes {
  const document = parseDocument(text, { schema: 'core', uniqueKeys: true });
  if (document.errors.length > 0)
    return { faults: document.errors.map(({ message }) => message.split('\n', 1)[0] ?? '') };
  const file = routeFile.safeParse(document.toJS());
  if (!file.success) return { faults: faultsOf(file.error) };
  const reader = new RouteReader(surroundings);
  const settings = reader.read(file.data);
  return reader.faults.length > 0 ? { faults: reader.faults } : { settings };
}

/** Goes on after a fault, to find the others. */
class RouteReader {
  readonly faults: string[] = [];

  constructor(private readonly surroundings: RouteSurroundings) {}

  read({ backends, defaults, routes }: z.infer<typeof routeFile>): RouteSettings {
    const names = Object.keys(backends);
    return {
      backends: Object.entries(backends).flatMap(([name, value]) => this.backend(name, value)),
      routes: this.routes(this.parse(defaultsRow, defaults, ['defaults']), routes, new Set(names)),
    };
  }

  private backend(name: string, value: unknown): BackendSettings[] {
    this.parse(backendName, name, ['backends']);
    const row = this.parse(backendRow, value, ['backends', name]);
    if (row === undefined) return [];
    const { nodes, connections, waiting, 'hedge-percent': hedgePercent, 'answer-megabytes': megabytes } = row;
    const { environment, mayLackNodes = false } = this.surroundings;
    const given = environment[nodes] ?? '';
    const urls = given === '' && mayLackNodes ? [] : (this.parse(hiveApiNodes, given, [nodes]) ?? []);
    return [{ name, urls, connections, waiting, hedgePercent, answerMostBytes: megabytes * 1024 * 1024 }];
  }

  private routes(
    defaults: DefaultsRow | undefined,
    rows: Readonly<Record<string, unknown>>,
    backends: ReadonlySet<string>,
  ): Route[] {
    if (defaults !== undefined && defaults.to !== local && !backends.has(defaults.to))
      this.faults.push(`defaults.to: there is no backend ${defaults.to}`);
    return Object.entries(rows).flatMap(([name, value]) => {
      this.parse(routeName, name, ['routes']);
      const row = this.parse(routeRow, value, ['routes', name]);
      if (row === undefined) return [];
      const known = { backends, localMethods: this.surroundings.localMethods };
      const { route, faults } = resolveRoute(name, row, defaults, known);
      this.faults.push(...faults.map((fault) => `routes.${name}: ${fault}`));
      return route ?? [];
    });
  }

  private parse<Schema extends z.ZodType>(
    schema: Schema,
    value: unknown,
    path: readonly string[],
  ): z.infer<Schema> | undefined {
    const result = schema.safeParse(value, { reportInput: false });
    if (result.success) return result.data;
    this.faults.push(...faultsOf(result.error, path));
    return undefined;
  }
}

function faultsOf(error: z.ZodError, path: readonly string[] = []): string[] {
  return error.issues.map((issue) => `${[...path, ...issue.path.map(String)].join('.')}: ${issue.message}`);
}
