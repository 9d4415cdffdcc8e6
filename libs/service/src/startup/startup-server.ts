import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type ReadinessReport } from '../observability/readiness';
import { type ErrorBody, restErrorBody, type RestErrorBody } from '../errors/rest-error-body';
import { securityHeaders } from '../http/security-headers';

/**
 * Serves health checks before the service itself can: live, and not ready. Other requests get 503.
 *
 * @param checks the state of each dependency now
 * @param errorBody creates the body of the 503
 * @returns a function that closes the server, and resolves when the address is free
 * @throws Error if the address is taken
 */
export async function openStartupServer(
  host: string,
  port: number,
  { checks, errorBody }: { checks: () => ReadinessReport['checks']; errorBody: ErrorBody },
): Promise<() => Promise<void>> {
  const server = createServer(({ url = '' }, response) => {
    const id = randomUUID();
    const [status, body] = healthResponse(url.split('?', 1)[0] ?? '', checks()) ?? [503, errorBody(waiting(id))];
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Request-Id': id,
    };
    // The next request may already be one for the service.
    response.writeHead(status, { ...securityHeaders, ...headers, 'Retry-After': '1', Connection: 'close' });
    response.end(JSON.stringify(body));
  });
  server.listen(port, host);
  await once(server, 'listening');
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
}

/** Returns the response to a health check; undefined for other paths. */
function healthResponse(path: string, checks: ReadinessReport['checks']): [status: number, body: object] | undefined {
  if (path === '/health/live') return [200, { status: 'ok' }];
  if (path === '/health/ready') return [503, { ready: false, draining: false, checks } satisfies ReadinessReport];
  return undefined;
}

function waiting(requestId: string): RestErrorBody {
  return restErrorBody(503, 'unavailable', 'The service is waiting for its dependencies.', requestId);
}
