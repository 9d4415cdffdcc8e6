import {
  answersTooLong,
  assertionFailed,
  internalError,
  notJsonRpc2,
  type RpcError,
  tooManyCalls,
  unknownNamespace,
  unparsable,
  upstreamFaultKinds,
} from '@waggle/contracts';
import { jsonSchemaOf, type JsonSchema } from '@waggle/service';
import { type Declaration, type DeclaredParameter } from '../local/declaration';
import { declarations } from '../local/declarations';
import { apiVersion } from './version';

const description = `Notifications, follows, communities and reblogs, answered from an index of this service, as Hive's social
gateways answer them. Every other method of a Hive API that the route table of the deployment knows is answered by a node,
in the node's words; only the methods of this service are described here.

Calls are posted by JSON-RPC 2.0 to one of three paths:

- \`POST /rpc\`: the \`id\` comes back as it came.
- \`POST /rpc/home\`: the \`id\` comes back as a text.
- \`POST /\`: answers \`{}\`, whatever is posted.

A batch has 1 to 50 calls. A call without \`id\` is not answered; where no call of a body is, the status is 204. Parameters may be an
object, an array in the order below, or an array with one object; what is null counts as not given. Whole numbers may come as
texts of digits. \`call\` with \`[namespace, query, params]\` names a method too.

Errors of JSON-RPC have the status 200, but for 413 (the body is longer than 1 MiB) and 429 (too many calls from the address;
or too many at once; \`Retry-After\`). Answers to one request that are too long together have the code -32005 and \`data.kind\`
\`too-long\`, each that does not fit. Clients compare \`message\`. \`data.kind\` of an error with the code -32603 says why there is no answer:
${upstreamFaultKinds.map((kind) => `\`${kind}\``).join(', ')}.

Headers say where answers come from, those of a batch in their order: \`X-Gateway-Cache\` (\`hit\`, \`miss\`, \`coalesced\`, \`stale\`,
\`bypass\`), \`X-Gateway-Attempts\` (how many times a node was asked), \`Age\`.`;

/** What is wrong with a body or a call before any method has it. */
const errorsOfAll = {
  ParseError: described(unparsable()),
  InvalidRequest: described(notJsonRpc2()),
  MethodNotFound: described(unknownNamespace('<namespace>')),
  LimitExceeded: described(tooManyCalls()),
  AnswersTooLong: described(answersTooLong()),
};

/** What a method itself may refuse, or fail by. */
const errorsOfMethods = {
  InvalidParams: described(
    assertionFailed('<which parameter is wrong, or names nothing that there is>', 'call', new Date(0)),
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
      { name: 'rpc', url: '/rpc', summary: 'The `id` comes back as it came' },
      { name: 'home', url: '/rpc/home', summary: 'The `id` comes back as a text' },
    ],
    methods: declarations.map((declaration, index) => methodOf(declaration, results[index]?.schema ?? {})),
    components: {
      schemas: Object.fromEntries(results.flatMap(({ components }) => Object.entries(components))),
      errors: { ...errorsOfAll, ...errorsOfMethods },
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
    errors: Object.keys(errorsOfMethods).map((each) => ({ $ref: `#/components/errors/${each}` })),
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
