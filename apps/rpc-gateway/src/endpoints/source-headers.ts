import { type Body } from '../rpc/decode';
import { type IndexPosition, type RpcResponse } from '../rpc/rpc-response';

/** The headers that `sourceHeaders` may return, as CORS lists them. */
export const sourceHeaderNames = [
  'X-Gateway-Source',
  'X-Gateway-Index-Block',
  'X-Gateway-Index-Lag',
  'X-Gateway-Cache',
  'X-Gateway-Attempts',
  'Age',
] as const;
export type SourceHeaderName = (typeof sourceHeaderNames)[number];

/**
 * Says where the responses of a body come from: names and values in turn. Values of a batch are separated by commas;
 * `Age` is the oldest cached response's.
 *
 * @param responses one for each item, except calls without an id
 */
export function sourceHeaders({ items }: Body, responses: readonly RpcResponse[]): string[] {
  const sent = responses.filter((_response, position) => items[position]?.id !== undefined);
  let [sources, caches, attempts] = ['', '', ''];
  let oldest: number | undefined;
  for (const response of sent) {
    const separator = sources === '' ? '' : ', ';
    sources += separator + response.source;
    caches += separator + response.cache;
    attempts += `${separator}${response.attempts}`;
    if (response.ageSeconds !== undefined) oldest = Math.max(oldest ?? 0, response.ageSeconds);
  }
  const headers = ['x-gateway-source', sources, 'x-gateway-cache', caches, 'x-gateway-attempts', attempts];
  if (sent.some(({ index }) => index !== undefined)) headers.push(...indexHeaders(sent));
  if (oldest !== undefined) headers.push('age', String(oldest));
  return headers;
}

/** Returns the headers about the index. In a batch, `-` stands for a response that does not come from the index. */
function indexHeaders(responses: readonly RpcResponse[]): readonly string[] {
  const listed = (valueOf: (index: IndexPosition) => number) =>
    responses.map(({ index }) => (index === undefined ? '-' : String(valueOf(index)))).join(', ');
  const blocks = listed(({ block }) => block);
  return ['x-gateway-index-block', blocks, 'x-gateway-index-lag', listed(({ lagSeconds }) => lagSeconds)];
}
