import { type IncomingMessage } from 'node:http';
import { anyOrigin, requestId, securityHeaders } from '@waggle/service';
import { type HeaderList } from './header-list';
import { sourceHeaderNames } from './source-headers';

/** The response headers that pages of other origins may read. */
const exposedHeaders = ['X-Request-Id', 'Retry-After', ...sourceHeaderNames].join(', ');

/**
 * Keeps browsers from treating a response as anything but data. The security headers for pages, which other responses
 * have too, have no effect on JSON.
 */
const dataHeaders: HeaderList = [
  ...['content-type', 'application/json; charset=utf-8'],
  ...['cache-control', 'no-store'],
  ...['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ...['cross-origin-resource-policy', 'same-origin'],
  ...['strict-transport-security', securityHeaders['strict-transport-security']],
  ...['x-content-type-options', securityHeaders['x-content-type-options']],
];

/** The headers if any origin is allowed: without credentials, which browsers reject together with `*`. */
function headersForAny(request: IncomingMessage): HeaderList {
  const access = ['access-control-allow-origin', anyOrigin, 'access-control-expose-headers', exposedHeaders];
  return [...dataHeaders, ...access, 'x-request-id', requestId(request)];
}

/** The headers of every response that bypasses Nest, and the CORS headers if the origin of the request is listed. */
export function headersFor(corsOrigins: readonly string[]): (request: IncomingMessage) => HeaderList {
  const always = corsOrigins.length > 0 ? [...dataHeaders, 'vary', 'Origin'] : dataHeaders;
  const origins = new Set(corsOrigins);
  if (origins.has(anyOrigin)) return headersForAny;
  return (request) => {
    const { origin } = request.headers;
    const headers = [...always, 'x-request-id', requestId(request)];
    if (origin === undefined || !origins.has(origin)) return headers;
    headers.push('access-control-allow-origin', origin);
    headers.push('access-control-allow-credentials', 'true');
    headers.push('access-control-expose-headers', exposedHeaders);
    return headers;
  };
}
