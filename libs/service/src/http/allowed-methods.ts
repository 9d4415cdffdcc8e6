import { type FastifyInstance } from 'fastify';

/** A route by its pattern, such as `/users/:name`. */
export interface RoutePattern {
  readonly method: string;
  readonly url: string;
}

/**
 * The methods of each known path: `RestErrorsFilter` rejects an unmatched request with 405 if its path has any, with
 * 404 if not.
 */
export class AllowedMethods {
  private readonly routes: { readonly method: string; readonly path: RegExp }[] = [];

  /**
   * @param mounted routes that are served outside of the Nest application
   * @param unsafeGets GET routes, exactly as registered, that change something or open a stream: they have no HEAD
   */
  constructor(
    mounted: readonly RoutePattern[] = [],
    private readonly unsafeGets: readonly string[] = [],
  ) {
    for (const route of mounted) this.add(route);
  }

  isUnsafe(url: string): boolean {
    return this.unsafeGets.includes(url);
  }

  /**
   * Adds every route that is registered from now on, except wildcards, such as the route of preflights, which would
   * make every path known.
   */
  observe(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ method, url }) => {
      if (url.includes('*')) return;
      for (const oneMethod of [method].flat()) this.add({ method: oneMethod, url });
    });
  }

  /** Returns the methods of a path; none for an unknown path. */
  methodsOf(path: string): string[] {
    return [...new Set(this.routes.filter((route) => route.path.test(path)).map(({ method }) => method))].toSorted();
  }

  private add({ method, url }: RoutePattern): void {
    // Fastify registers a HEAD route for every GET.
    if (method === 'HEAD' && this.isUnsafe(url)) return;
    const segments = url
      .replace(/\/$/, '')
      .split('/')
      .map((segment) => (segment.startsWith(':') ? '[^/]+' : escaped(segment)));
    this.routes.push({ method, path: new RegExp(`^${segments.join('/')}/?$`) });
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
