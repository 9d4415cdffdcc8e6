import { local, type PathRoute } from './route';

/** The route of a path, and the parameters in it if it is local. */
export interface MatchedPath {
  readonly route: PathRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** A segment that a server may resolve against the path before it, also after decoding separators. */
const dotSegment = /(?:[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:[/\\;#]|%2f|%5c|$)/i;

/** Finds the route of a path: the longest prefix, or the pattern of a local path, which comes first. */
export class PathTable {
  private readonly prefixes: readonly PathRoute[];
  private readonly patterns: readonly { readonly route: PathRoute; readonly pattern: RegExp }[];

  constructor(routes: readonly PathRoute[]) {
    this.prefixes = routes.filter(({ to }) => to !== local).sort((one, other) => other.name.length - one.name.length);
    this.patterns = routes
      .filter(({ to }) => to === local)
      .map((route) => ({ route, pattern: new RegExp(`^${route.name.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`) }));
  }

  /**
   * @param path without query. A prefix also matches without its last slash
   * @param isPost local paths have only GET
   */
  find(path: string, isPost = false): MatchedPath | undefined {
    if (dotSegment.test(path)) return undefined;
    for (const { route, pattern } of isPost ? [] : this.patterns) {
      const params = decoded(pattern.exec(path)?.groups);
      if (params !== undefined) return { route, params };
    }
    const route = this.prefixes.find(({ name }) => path.startsWith(name) || path === name.slice(0, -1));
    return route && { route, params: {} };
  }
}

/** Returns undefined for no groups, and for text that is not percent-encoded UTF-8. */
function decoded(groups: Readonly<Record<string, string>> | undefined): Record<string, string> | undefined {
  if (groups === undefined) return undefined;
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return undefined;
  }
}
