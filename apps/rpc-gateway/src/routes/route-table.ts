import { unknownMethod, unknownNamespace } from '@waggle/contracts';
import { isBroadcast, sentOnce } from './resolve-route';
import { local, type Route } from './route';

/** Which route a method takes: its own, else that of its namespace. */
export class RouteTable {
  /**
   * By the name of a method, or of a namespace all of whose methods are passed on. A Map: methods are called what callers like, such
   * as `__proto__`.
   */
  private readonly routes: ReadonlyMap<string, Route>;
  private readonly writes: ReadonlyMap<string, Route>;
  private readonly namespaces: ReadonlySet<string>;

  constructor(routes: readonly Route[]) {
    const listed = routes.flatMap((route) =>
      (route.methods ?? []).map((query): [string, Route] => [`${route.name}.${query}`, route]),
    );
    const named = routes.flatMap((route): [string, Route][] => (route.methods ? [] : [[route.name, route]]));
    // The route of a method itself comes after that of its namespace, and so counts.
    this.routes = new Map([...listed, ...named]);
    this.writes = new Map(
      [...this.routes].map(([key, { name, to, timeoutMs }]) => [key, sentOnce(name, to, timeoutMs, to !== local)]),
    );
    this.namespaces = new Set(routes.map(({ name }) => namespaceOf(name)));
  }

  /**
   * @param method `<namespace>.<query>`
   * @throws RpcError unknown namespace, or unknown method of a known one
   */
  get(method: string): Route {
    const routes = isBroadcast(method) ? this.writes : this.routes;
    // A namespace alone is no method, though it has a route.
    const route = method.includes('.') ? (routes.get(method) ?? routes.get(namespaceOf(method))) : undefined;
    if (route !== undefined) return route;
    const namespace = namespaceOf(method);
    throw this.namespaces.has(namespace) ? unknownMethod(method) : unknownNamespace(namespace);
  }
}

function namespaceOf(method: string): string {
  const end = method.indexOf('.');
  return end < 0 ? method : method.slice(0, end);
}
