import { type IndexPosition, type RpcResponse } from '../rpc/rpc-response';
import { type HeaderList } from './header-list';

/** Names of all headers that `sourceHeaders` can return, spelled as in `Access-Control-Expose-Headers`. */
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
 * Returns the headers that say where the responses came from, as a flat list of names and values. For a batch, each
 * header except `Age` lists one value per response, separated by commas. `Age` is the age of the oldest cached
 * response, in seconds.
 *
 * @param answered the responses that are sent
 */
export function sourceHeaders(answered: readonly RpcResponse[]): HeaderList {
  const headers: string[] = [];
  const add = (name: Lowercase<SourceHeaderName>, value: string) => headers.push(name, value);
  add(
    'x-gateway-source',
    joinValues(answered, ({ source }) => source),
  );
  add(
    'x-gateway-cache',
    joinValues(answered, ({ cache }) => cache),
  );
  add(
    'x-gateway-attempts',
    joinValues(answered, ({ attempts }) => attempts),
  );
  if (answered.some(({ index }) => index !== undefined)) {
    add(
      'x-gateway-index-block',
      joinPositions(answered, ({ block }) => block),
    );
    add(
      'x-gateway-index-lag',
      joinPositions(answered, ({ lagSeconds }) => lagSeconds),
    );
  }
  const ages = answered.map(({ ageSeconds }) => ageSeconds).filter((age) => age !== undefined);
  if (ages.length > 0) add('age', String(Math.max(...ages)));
  return headers;
}

function joinValues(responses: readonly RpcResponse[], pick: (response: RpcResponse) => string | number): string {
  return responses.map(pick).join(', ');
}

/** Joins one number of the index position per response; `-` marks a response from another source. */
function joinPositions(responses: readonly RpcResponse[], pick: (index: IndexPosition) => number): string {
  return joinValues(responses, ({ index }) => (index === undefined ? '-' : pick(index)));
}
