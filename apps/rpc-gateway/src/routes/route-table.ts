import { unknownMethod, unknownNamespace } from '@waggle/contracts';
import { isBroadcast, sentOnce } from './resolve-route';
import { local, type Route } from './route';

/** Which route a method takes: its own, else that of its namespace. */
export class RouteTable {
  /** By the name of the route. A Map: methods are called what callers like, such as `__proto__`. */
  private readonly routes: ReadonlyMap<string, Route>;
  private readonly writes: ReadonlyMap<string, Route>;
  private readonly namespaces: ReadonlySet<string>;
  /** The queries of each namespace whose queries are known. */
  private readonly queries: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(routes: readonly Route[]) {
    this.routes = new Map(routes.map((route) => [route.name, route]));
    this.writes = new Map(
      routes.map((route) => [route.name, sentOnce(route.name, route.to, route.timeoutMs, route.to !== local)]),
    );
    this.namespaces = new Set(routes.map(({ name }) => namespaceOf(name)));
    this.queries = new Map(routes.flatMap(({ name, methods }) => (methods ? [[name, new Set(methods)]] : [])));
  }

  /**
   * @param method `<namespace>.<query>`
   * @throws RpcError unknown namespace, or unknown method of a known one
   */
  get(method: string): Route {
    const routes = isBroadcast(method) ? this.writes : this.routes;
    const namespace = namespaceOf(method);
    // A namespace alone is no method, though it has a route.
    const route =
      namespace === method ? undefined : (routes.get(method) ?? this.ofNamespace(routes, namespace, method));
    if (route !== undefined) return route;
    throw this.namespaces.has(namespace) ? unknownMethod(method) : unknownNamespace(namespace);
  }

  private ofNamespace(routes: ReadonlyMap<string, Route>, namespace: string, method: string): Route | undefined {
    const isKnown = this.queries.get(namespace)?.has(method.slice(namespace.length + 1)) ?? true;
    return isKnown ? routes.get(namespace) : undefined;
  }
}

function namespaceOf(method: string): string {
  const end = method.indexOf('.');
  return end < 0 ? method : method.slice(0, end);
}
