import { type HeaderList } from './common-headers';
import { type Body } from '../rpc/decode';
import { type IndexPosition, type RpcResponse } from '../rpc/rpc-response';

/**
 * The JSON text of a response in parts, which are not joined because a cached member may be long and is the same string in every
 * response. The id comes last because parsers keep the last of duplicate keys.
 */
export function encodeResponse(member: string, id: string): readonly string[] {
  return ['{"jsonrpc":"2.0",', member, `,"id":${id}}`];
}

/** The body of the HTTP response, and headers with the sources of its parts. */
export interface EncodedResponses {
  /** The parts of the body; empty if all calls are notifications. */
  readonly texts: readonly string[];
  /** Those of a batch are separated by commas; `Age` is that of the oldest cached response. */
  readonly origins: HeaderList;
}

/**
 * @param responses one for each item; those to calls without an id are left out
 * @param idOf returns the id as it is written into the response
 */
export function encodeResponses(
  { items, isBatch }: Body,
  responses: readonly RpcResponse[],
  idOf: (id: string) => string,
): EncodedResponses {
  const texts: string[] = [];
  let [sources, caches, attempts] = ['', '', ''];
  let oldest: number | undefined;
  responses.forEach((response, index) => {
    const id = items[index]?.id;
    if (id === undefined) return;
    const separator = texts.length === 0 ? '' : ', ';
    sources += separator + response.source;
    caches += separator + response.cache;
    attempts += `${separator}${response.attempts}`;
    if (response.ageSeconds !== undefined) oldest = Math.max(oldest ?? 0, response.ageSeconds);
    if (isBatch) texts.push(texts.length === 0 ? '[' : ',');
    texts.push(...encodeResponse(response.member, idOf(id)));
  });
  if (isBatch && texts.length > 0) texts.push(']');
  const origins = ['x-gateway-source', sources, 'x-gateway-cache', caches, 'x-gateway-attempts', attempts];
  if (responses.some(({ index }) => index !== undefined))
    origins.push(...indexHeaders(responses.filter((_response, position) => items[position]?.id !== undefined)));
  if (oldest !== undefined) origins.push('age', String(oldest));
  return { texts, origins };
}

/** In a batch, `-` stands for a response that does not come from the index. */
function indexHeaders(responses: readonly RpcResponse[]): HeaderList {
  const listed = (valueOf: (index: IndexPosition) => number) =>
    responses.map(({ index }) => (index === undefined ? '-' : String(valueOf(index)))).join(', ');
  const blocks = listed(({ block }) => block);
  return ['x-gateway-index-block', blocks, 'x-gateway-index-lag', listed(({ lagSeconds }) => lagSeconds)];
}

/** Converts the id to a string, as `/rpc/home` returns it; null stays null. */
export function idAsString(id: string): string {
  return id === 'null' || id.startsWith('"') ? id : `"${id}"`;
}
