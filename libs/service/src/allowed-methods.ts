import { type FastifyInstance } from 'fastify';

/** A route by its pattern, such as `/users/:name`. */
export interface RoutePattern {
  readonly method: string;
  readonly url: string;
}

/**
 * The methods of each known path. `RestErrorsFilter` responds with 405 if the path has other methods, otherwise with 404.
 */
export class AllowedMethods {
  private readonly routes: { readonly method: string; readonly path: RegExp }[] = [];

  /**
   * @param mounted routes that are served outside of the Nest application
   * @param changingGets patterns of GET routes that change something, and so have no HEAD
   */
  constructor(
    mounted: readonly RoutePattern[] = [],
    private readonly changingGets: readonly string[] = [],
  ) {
    for (const route of mounted) this.add(route);
  }

  isChangingGet(url: string): boolean {
    return this.changingGets.includes(url);
  }

  /** Adds every route that is registered from now on, except wildcard routes, as for preflights. */
  observe(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) if (!url.includes('*')) this.add({ method: each, url });
    });
  }

  /** @returns the methods of the path; empty for an unknown path */
  of(path: string): string[] {
    return [...new Set(this.routes.filter((route) => route.path.test(path)).map(({ method }) => method))].toSorted();
  }

  private add({ method, url }: RoutePattern): void {
    if (method === 'HEAD' && this.isChangingGet(url)) return;
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
