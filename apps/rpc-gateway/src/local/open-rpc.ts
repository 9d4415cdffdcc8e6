import {
  responsesTooLong,
  assertionFailed,
  indexIncompleteKind,
  internalError,
  notJsonRpc2,
  type RpcError,
  tooManyCalls,
  unknownNamespace,
  unparsable,
  upstreamErrorKinds,
} from '@waggle/contracts';
import { descriptionText, jsonSchemaOf, type JsonSchema } from '@waggle/service';
import { z } from 'zod';
import { JsonText } from '../rpc/json-text';
import { type Declaration, type DeclaredParameter, method } from './declaration/declaration';
import { declarations } from './declarations';

/** The version of the API in its descriptions. */
export const apiVersion = '1.0.0';

const description = `Notifications, follows, communities and reblogs, served from the index of this service with the same results
as Hive's social gateways. Every other method in the route table of the deployment is forwarded to a Hive API node, whose response
is returned unchanged. This document describes only the methods of this service.

Calls are JSON-RPC 2.0, posted to one of three paths:

- \`POST /rpc\`: returns the \`id\` unchanged.
- \`POST /rpc/home\`: returns the \`id\` as a string, or null.
- \`POST /\`: always returns \`{}\`.

A batch has 1 to 50 calls. A call without \`id\` gets no response; if all calls of a body are without, the status is 204. Parameters
may be an object, an array in the order below, or an array with one object; null is the same as a missing parameter. Integers may be
strings of digits. A method can also be called by \`call\` with \`[namespace, query, params]\`.

JSON-RPC errors have the status 200, except 413 (the body is longer than 1 MiB), 415 (it is compressed), 429 (too many calls or bytes
of the address, or too many calls in flight), 500 (an unexpected error outside a call) and 503 (no memory for the body or the
responses); 429 and 503 with \`Retry-After\`. \`data.limit\` names the limit of a 429. If the responses to one request exceed its limit, those that do not fit have the code -32005
and \`data.kind\` \`too-long\`. Messages are stable, because clients compare them. The \`data.kind\` of an error with the code -32603
says why no node responded: ${upstreamErrorKinds.map((kind) => `\`${kind}\``).join(', ')}; or, with \`${indexIncompleteKind}\`,
that the index does not contain all that the method needs and the call could not be forwarded to a node that has the method.

Headers name the sources of responses, in the order of the batch: \`X-Gateway-Source\` (\`index\`, \`upstream\`, \`cache\`,
\`gateway\`), \`X-Gateway-Index-Block\` and \`X-Gateway-Index-Lag\` (seconds; \`-\` unless from the index), \`X-Gateway-Cache\` (\`hit\`, \`miss\`, \`coalesced\`, \`stale\`,
\`bypass\`), \`X-Gateway-Attempts\` (the number of requests to nodes), \`Age\`.`;

/** Errors before a method is called. */
const commonErrors = {
  ParseError: described(unparsable()),
  InvalidRequest: described(notJsonRpc2()),
  MethodNotFound: described(unknownNamespace('<namespace>')),
  LimitExceeded: described(tooManyCalls('calls-per-minute')),
  ResponsesTooLong: described(responsesTooLong()),
};

/** Errors of the methods. */
const methodErrors = {
  InvalidParams: described(
    assertionFailed('<which parameter is invalid, or names something that does not exist>', 'call', new Date(0)),
  ),
  InternalError: described(internalError(undefined)),
};

/** The description of the local methods, as OpenRPC 1.3. */
export function openRpcDocument(): JsonSchema {
  const results = declarations.map(({ result }) => jsonSchemaOf(result, 'output'));
  return {
    openrpc: '1.3.2',
    info: { title: 'Waggle RPC gateway', description, version: apiVersion, license: { name: 'MIT' } },
    servers: [
      { name: 'rpc', url: '/rpc', summary: 'Returns the `id` unchanged' },
      { name: 'home', url: '/rpc/home', summary: 'Returns the `id` as a string, or null' },
    ],
    methods: declarations.map((declaration, index) => methodOf(declaration, results[index]?.schema ?? {})),
    components: {
      schemas: Object.fromEntries(results.flatMap(({ components }) => Object.entries(components))),
      errors: { ...commonErrors, ...methodErrors },
    },
  };
}

function methodOf({ name, summary, parameters, example }: Declaration, result: JsonSchema) {
  return {
    name,
    summary,
    paramStructure: 'either',
    params: parameters.map(paramOf),
    result: { name: 'result', schema: result },
    errors: Object.keys(methodErrors).map((each) => ({ $ref: `#/components/errors/${each}` })),
    examples: [
      {
        name: 'example',
        params: Object.entries(example.params).map(([each, value]) => ({ name: each, value })),
        result: { name: 'result', value: example.result },
      },
    ],
  };
}

function paramOf({ name, isRequired, schema }: DeclaredParameter) {
  return { name, required: isRequired, schema };
}

function described({ code, message, data }: RpcError) {
  return { code, message, ...(data !== undefined && { data }) };
}

let text: JsonText | undefined;

/** The service discovery method of OpenRPC; it is not part of its own result. */
export const discover = method({
  name: 'rpc.discover',
  summary: 'This description',
  required: 0,
  parameters: {},
  result: z.looseObject({ openrpc: z.string() }),
  example: { params: {}, result: { openrpc: '1.3.2' } },
  needs: [],
  handle: () => Promise.resolve((text ??= new JsonText(descriptionText(openRpcDocument())))),
});
