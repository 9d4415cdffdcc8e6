import { unknownMethod, unknownNamespace } from '@waggle/contracts';
import { isBroadcast, isMethodName, local, type Route, singleAttemptRoute } from './route';

/** Finds the route of a method: its own, or its namespace's. */
export class RouteTable {
  /**
   * By method, or by a namespace whose methods are all forwarded. A Map, because clients may call a method anything,
   * such as `__proto__`.
   */
  private readonly routes: ReadonlyMap<string, Route>;
  private readonly writes: ReadonlyMap<string, Route>;
  private readonly namespaces: ReadonlySet<string>;

  constructor(routes: readonly Route[]) {
    const listed = routes.flatMap((route) =>
      (route.methods ?? []).map((query): [string, Route] => [`${route.name}.${query}`, route]),
    );
    const named = routes.flatMap((route): [string, Route][] => (route.methods ? [] : [[route.name, route]]));
    // The route of the method itself overrides its namespace's.
    this.routes = new Map([...listed, ...named]);
    this.writes = new Map(
      [...this.routes].map(([key, { name, to, timeoutMs }]) => [
        key,
        singleAttemptRoute(name, to, timeoutMs, to !== local),
      ]),
    );
    this.namespaces = new Set(routes.map(({ name }) => namespaceOf(name)));
  }

  /**
   * @param method `<namespace>.<query>`
   * @throws RpcError for an unknown namespace, or an unknown method of a known one
   */
  get(method: string): Route {
    const routes = isBroadcast(method) ? this.writes : this.routes;
    // A namespace has a route but is not a method.
    const route = isMethodName(method) ? (routes.get(method) ?? routes.get(namespaceOf(method))) : undefined;
    if (route !== undefined) return route;
    const namespace = namespaceOf(method);
    throw this.namespaces.has(namespace) ? unknownMethod(method) : unknownNamespace(namespace);
  }
}

function namespaceOf(method: string): string {
  const end = method.indexOf('.');
  return end < 0 ? method : method.slice(0, end);
}
