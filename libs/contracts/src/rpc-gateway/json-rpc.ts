import { z } from 'zod';
import { indexIncompleteKind } from './rpc-error';
import { upstreamErrorKinds } from './upstream-errors';

/** Maximum number of calls in a batch. */
export const maxRpcBatch = 50;

const id = z.union([z.string(), z.number(), z.null()]);

/** A call. Without `id` it is a notification, which has no response. */
export const rpcRequest = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: id.optional().meta({ description: 'Returned in the response' }),
    method: z
      .string()
      .min(1)
      .meta({
        description: '`<namespace>.<query>`; or `call`, with `[namespace, query, params]` as `params`',
        examples: ['bridge.account_notifications'],
      }),
    params: z
      .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
      .optional()
      .meta({ description: 'By name, or in the order of the parameters' }),
  })
  .meta({
    id: 'RpcRequest',
    description: 'A JSON-RPC 2.0 call',
    examples: [
      { jsonrpc: '2.0', id: 1, method: 'bridge.account_notifications', params: { account: 'alice', limit: 10 } },
    ],
  });

const rpcErrorObject = z
  .object({
    code: z.int(),
    message: z.string().meta({ description: 'For errors of a Hive API, the text that its clients compare' }),
    data: z
      .unknown()
      .optional()
      .meta({
        description: `With code -32602 the data that Hive's gateways send: \`extension.assertion_expression\` is the message without its prefix. If a node did not respond: {"kind": ${upstreamErrorKinds.map((kind) => `"${kind}"`).join(' | ')}}. If the index is incomplete and the call was not forwarded: {"kind": "${indexIncompleteKind}", "unmet": [{"need", "reason"}, …]}`,
      }),
  })
  .meta({ id: 'RpcErrorObject' });

/** The response to a call: either `result` or `error`. */
export const rpcResponse = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: id.meta({ description: 'That of the call; null if it is unknown' }),
    result: z.unknown().optional(),
    error: rpcErrorObject.optional(),
  })
  .meta({
    id: 'RpcResponse',
    description: 'The response to a call: `result` or `error`',
    examples: [
      { jsonrpc: '2.0', id: 1, result: [] },
      { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Api not found brigde' } },
    ],
  });
