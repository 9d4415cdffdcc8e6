import path from 'node:path';
import { pageHeaders, serveFiles } from '@waggle/service';
import { type FastifyInstance } from 'fastify';
import { gatewayStateOf, type StatusSources } from './gateway-state';

/** The page of `@waggle/pages`, which the build copies. */
const page = path.resolve(__dirname, '../../dist/pages');

/** Serves the status page at `/status/`, and its data at `/status/state.json`. */
export function serveStatus(fastify: FastifyInstance, sources: StatusSources): void {
  serveFiles(fastify, { url: '/status/', folder: page, headers: pageHeaders() });
  fastify.get('/status/state.json', () => gatewayStateOf(sources));
}
