import { maxRpcBatch } from '@waggle/contracts';
import { type SourceHeaderName } from '../endpoints/source-headers';
import { jsonContent, reference, retryAfter } from './operation';

const sourceHeaderTexts: Readonly<Record<SourceHeaderName, string>> = {
  'X-Gateway-Source': 'The source of each response of a batch, in order: `index`, `upstream`, `cache` or `gateway`',
  'X-Gateway-Index-Block':
    'The last block whose effects a response from the index is guaranteed to include; `-` for a response from elsewhere. Absent if none is from the index',
  'X-Gateway-Index-Lag':
    'How many seconds the index was behind the last irreversible block; `-` for a response from elsewhere. Absent if none is from the index',
  'X-Gateway-Cache': '`hit`, `miss`, `coalesced`, `stale` or `bypass`, for each response',
  'X-Gateway-Attempts': 'How many requests were sent to nodes, for each response',
  Age: 'The age of the oldest cached response in seconds',
};

const sourceHeaders = Object.fromEntries(
  Object.entries(sourceHeaderTexts).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
);

/** The paths of JSON-RPC. Its methods are described by OpenRPC. */
export const rpcPaths = {
  '/rpc': { post: describeCalls('Rpc.call', 'Calls methods; responses have the `id` of the call unchanged') },
  '/rpc/home': {
    post: describeCalls(
      'Rpc.callFromHome',
      'Calls methods; responses have the `id` as a string, as the documented interface defines, or null',
    ),
  },
  '/': {
    post: {
      operationId: 'Rpc.ignore',
      summary: 'Returns `{}`, as the documented interface defines',
      security: [],
      responses: { 200: { description: 'An empty object', ...jsonContent({ type: 'object' }) } },
    },
  },
};

function describeCalls(operationId: string, summary: string) {
  const batchOf = (name: string) => ({ type: 'array', items: reference(name), minItems: 1, maxItems: maxRpcBatch });
  const bodyOf = (name: string) => jsonContent({ anyOf: [reference(name), batchOf(name)] });
  const errorOf = (description: string) => ({ description, ...jsonContent(reference('RpcResponse')) });
  return {
    operationId,
    summary,
    security: [],
    requestBody: {
      required: true,
      description: 'One call or a batch, as UTF-8 without `Content-Encoding`. `Content-Type` does not matter',
      ...bodyOf('RpcRequest'),
    },
    responses: {
      200: {
        description: 'The responses, including JSON-RPC errors',
        headers: sourceHeaders,
        ...bodyOf('RpcResponse'),
      },
      204: { description: 'No call has an `id`' },
      413: errorOf('The body is too long'),
      415: errorOf('The body has a `Content-Encoding`'),
      429: { ...errorOf('Too many calls or bytes from this address'), headers: { 'Retry-After': retryAfter } },
      500: errorOf('An unexpected error'),
      503: { ...errorOf('No memory for the body or the responses'), headers: { 'Retry-After': retryAfter } },
    },
  };
}
