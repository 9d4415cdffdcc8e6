import { restError, rpcRequest, rpcResponse } from '@waggle/contracts';
import { jsonSchemaOf, type JsonSchema } from '@waggle/service';
import { z } from 'zod';
import { digestDocument, digestQuery } from '../digests/digest-document';
import { resetReasons } from '../events/reset-reason';
import { notificationEvent } from '../local/declaration/results';
import { apiVersion } from '../local/open-rpc';
import { gatewayState } from '../status/gateway-state';
import { eventsPath } from './events-path';
import { errorResponse, errorResponses, jsonContent, queryParameters, reference } from './operation';
import { localPathDescriptions } from './local-paths';
import { rpcPaths } from './rpc-paths';

const description = `Everything is public; there is no authentication. The JSON-RPC methods that this service implements are described by
OpenRPC, at \`/docs/openrpc.json\`; other methods are forwarded to Hive API nodes. \`/events\` streams notifications as they become irreversible,
as [server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html).

GET and POST for the paths in the route table of the deployment, such as \`/balance-api/\`, are forwarded to REST APIs of the nodes.
Statuses of the API remain. Without a response the error is 404 (no node has the API), 502, 503 or 504.`;

/** The schemas without an id, by their names in the description. */
const schemas = {
  NotificationEvent: notificationEvent,
  ResetEvent: z.strictObject({ reason: z.enum(resetReasons) }),
  IndexDigest: digestDocument,
  GatewayState: gatewayState,
  Error: restError,
};

/** The OpenAPI 3.1 description of the HTTP paths: served at `/docs/openapi.json`, and written to `docs/api`. */
export function openApiDocument(): JsonSchema {
  const named = Object.entries(schemas).map(([name, schema]) => ({ name, ...jsonSchemaOf(schema, 'output') }));
  const [request, response] = [jsonSchemaOf(rpcRequest, 'input'), jsonSchemaOf(rpcResponse, 'output')];
  return {
    openapi: '3.1.0',
    info: { title: 'Waggle RPC gateway', description, version: apiVersion, license: { name: 'MIT' } },
    servers: [{ url: '/' }],
    paths: {
      ...rpcPaths,
      '/': { ...rpcPaths['/'], ...homePath },
      '/events': eventsPath,
      ...localPathDescriptions(),
      '/index/digest': digestPath,
      '/status/': page('Status.page', 'A page for people that shows nodes, calls and the index', 'text/html', {
        404: statusPageOff,
      }),
      '/status/state.json': get('Status.get', 'The data of the status page', {
        200: { description: 'As of now', ...jsonContent(reference('GatewayState')) },
        404: statusPageOff,
      }),
      '/docs/openapi.json': page('Docs.openApi', 'This description', 'application/json'),
      '/docs/openrpc.json': page('Docs.openRpc', 'The description of the methods', 'application/json'),
    },
    components: {
      schemas: {
        ...request.components,
        ...response.components,
        ...Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
      },
    },
  };
}

const digestPath = get(
  'Digest.get',
  'The digest of the index as of a block, to compare with that of another deployment',
  {
    200: { description: 'The digest; that of a given block never changes', ...jsonContent(reference('IndexDigest')) },
    ...errorResponses('invalid-request', 'no-digest', 'rate-limited', 'unavailable'),
  },
  queryParameters(digestQuery),
);

const homePath = get('Home.get', 'Redirects to the page for people', {
  302: { description: 'To `/status/` or, if the setting `STATUS_PAGE` is `off`, to `/docs/openapi.json`' },
});

const statusPageOff = { ...errorResponse(404, 'not-found'), description: 'The setting `STATUS_PAGE` is `off`' };

function page(
  operationId: string,
  summary: string,
  mediaType: string,
  otherResponses: Record<number, unknown> = {},
): object {
  const content = { [mediaType]: { schema: {} } };
  return get(operationId, summary, { 200: { description: summary, content }, ...otherResponses });
}

function get(operationId: string, summary: string, responses: Record<number, unknown>, parameters?: JsonSchema[]) {
  return { get: { operationId, summary, security: [], ...(parameters && { parameters }), responses } };
}
