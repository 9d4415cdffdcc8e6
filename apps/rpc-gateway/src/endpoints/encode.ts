import { type Body } from '../rpc/decode';
import { type RpcResponse } from '../rpc/rpc-response';
import { type HeaderList } from './header-list';
import { sourceHeaders } from './source-headers';

/**
 * The JSON text of a response in parts, which are not joined because the parts of a member may be long and the same
 * strings in several responses. The id comes last because parsers keep the last of duplicate keys.
 */
export function encodeResponse(member: string, id: string, rest: readonly string[] = []): readonly string[] {
  return ['{"jsonrpc":"2.0",', member, ...rest, `,"id":${id}}`];
}

/** The body of the HTTP response, and headers with the sources of its parts. */
export interface EncodedResponses {
  /** The parts of the body; empty if all calls are notifications. */
  readonly texts: readonly string[];
  readonly sourceHeaders: HeaderList;
}

/**
 * @param responses one for each item; those to calls without an id are left out
 * @param idOf returns the id as it is written into the response
 */
export function encodeResponses(
  body: Body,
  responses: readonly RpcResponse[],
  idOf: (id: string) => string,
): EncodedResponses {
  const texts: string[] = [];
  responses.forEach(({ member, rest }, position) => {
    const id = body.items[position]?.id;
    if (id === undefined) return;
    if (body.isBatch) texts.push(texts.length === 0 ? '[' : ',');
    texts.push(...encodeResponse(member, idOf(id), rest));
  });
  if (body.isBatch && texts.length > 0) texts.push(']');
  const answered = responses.filter((_response, position) => body.items[position]?.id !== undefined);
  return { texts, sourceHeaders: sourceHeaders(answered) };
}

/** Converts the id to a string, as `/rpc/home` returns it; null stays null. */
export function idAsString(id: string): string {
  return id === 'null' || id.startsWith('"') ? id : `"${id}"`;
}
