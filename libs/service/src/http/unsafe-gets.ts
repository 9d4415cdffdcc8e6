import { type FastifyInstance } from 'fastify';
import { frameworkCode, restErrorBody, type ErrorBody } from '../errors/rest-error-body';
import { type AllowedMethods } from './allowed-methods';

/** GET routes, exactly as registered, that change something although GET should not. */
interface UnsafeGets {
  /** Rejected for HEAD and for prefetches. */
  readonly always: readonly string[];
  /** Rejected only for prefetches. */
  readonly sometimes: readonly string[];
}

/** Rejects requests for unsafe GET routes that a user did not ask for. The start fails if there is no such route. */
export function protectUnsafeGets(
  fastify: FastifyInstance,
  { always, sometimes }: UnsafeGets,
  allowedMethods: AllowedMethods,
  errorBody: ErrorBody,
): void {
  const routes = [...always, ...sometimes];
  rejectHeads(fastify, allowedMethods, errorBody);
  rejectPrefetches(fastify, new Set(routes), errorBody);
  requireGets(fastify, routes, allowedMethods);
}

function rejectHeads(fastify: FastifyInstance, allowedMethods: AllowedMethods, errorBody: ErrorBody): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const { url = '' } = request.routeOptions;
    if (request.method !== 'HEAD' || !allowedMethods.isUnsafe(url)) {
      done();
      return;
    }
    void reply.status(405).header('Allow', allowedMethods.methodsOf(url).join(', '));
    void reply.send(errorBody(restErrorBody(405, frameworkCode(405), 'HEAD is not supported here', request.id)));
  });
}

/** Fails the start if a GET route does not exist: after a change of its path it would be served to prefetches. */
function requireGets(fastify: FastifyInstance, urls: readonly string[], allowedMethods: AllowedMethods): void {
  fastify.addHook('onReady', (done) => {
    const missing = urls.filter((url) => !allowedMethods.methodsOf(url).includes('GET'));
    done(missing.length > 0 ? new Error(`there is no GET route ${missing.join(', ')}`) : undefined);
  });
}

/**
 * What browsers send with a request for a page that the user has not opened: `Sec-Purpose` by the Fetch standard, the
 * others in older versions of Chromium and Safari, Firefox and Safari.
 */
const prefetchHeaders = { 'sec-purpose': 'prefetch', purpose: 'prefetch', 'x-moz': 'prefetch', 'x-purpose': 'preview' };

/** Rejects prefetches, also for a prerendered page, of routes that change something. */
function rejectPrefetches(fastify: FastifyInstance, routes: ReadonlySet<string>, errorBody: ErrorBody): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const isPrefetch = Object.entries(prefetchHeaders).some(([name, value]) => request.headers[name]?.includes(value));
    if (!isPrefetch || !routes.has(request.routeOptions.url ?? '')) {
      done();
      return;
    }
    void reply.status(503);
    void reply.send(errorBody(restErrorBody(503, frameworkCode(503), 'prefetches are not served here', request.id)));
  });
}
