import { assertionFailed, invalidRequest, notJsonRpc2, rpcBatchMost, RpcError, unparsable } from '@waggle/contracts';
import { type AnswerRoom } from './answer-room';
import { type Call, type Refusal } from './call';
import { textsIn } from './json-texts';

/** What a body holds: calls and refusals, each in its place. */
export interface Body {
  readonly items: readonly (Call | Refusal)[];
  readonly isBatch: boolean;
}

/** Far more than any method has; a message repeats the name. */
const methodMostLength = 128;

/**
 * Numbers that JavaScript would write otherwise: digits that it may round, exponents, fractions that end in zero and the negative
 * zero. Texts may look so too, which does no harm.
 */
const inexactNumber = /\d{16}|\d[eE]|(?:\.\d*|-)0(?=[,\s}\]])/;

/**
 * Reads a body by the rules of JSON-RPC 2.0. By hand and not by the schema of the contract, with which a test compares it:
 * each fault has an answer of its own.
 * What is wrong with the body as a whole is one refusal and no batch.
 *
 * @param room for the answers
 */
export function decodeBody(text: string, room: AnswerRoom): Body {
  try {
    return decodeItems(parse(text), text, room);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { items: [{ id: 'null', error }], isBatch: false };
  }
}

function decodeItems(value: unknown, text: string, room: AnswerRoom): Body {
  const texts = inexactNumber.test(text) && isObject(value) ? textsIn(Buffer.from(text)) : undefined;
  if (!Array.isArray(value)) return { items: [decodeItem(value, texts, room)], isBatch: false };
  if (value.length === 0) throw invalidRequest('the batch is empty');
  if (value.length > rpcBatchMost) throw invalidRequest(`a batch has at most ${rpcBatchMost} calls`);
  const items = value.map((item: unknown, index) => {
    const itemText = texts?.get(String(index));
    return decodeItem(
      item,
      itemText !== undefined && isObject(item) ? textsIn(Buffer.from(itemText)) : undefined,
      room,
    );
  });
  return { items, isBatch: true };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unparsable();
  }
}

/** @param texts of its members, where a number may need them */
function decodeItem(item: unknown, texts: ReadonlyMap<string, string> | undefined, room: AnswerRoom): Call | Refusal {
  if (!isObject(item) || Array.isArray(item)) return { id: 'null', error: invalidRequest('a call is an object') };
  const id = textOfId(item['id'], texts?.get('id'));
  try {
    if (item['jsonrpc'] !== '2.0') throw notJsonRpc2();
    if (id === undefined && item['id'] !== undefined) throw invalidRequest('`id` is a text, a number or null');
    const called = readMethod(item['method'], item['params'], texts?.get('params'));
    if (called.method.length > methodMostLength) throw invalidRequest('`method` is too long');
    return { id, ...called, paramsText: called.paramsText ?? textOf(called.params), room };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { id: id ?? 'null', error };
  }
}

function readMethod(method: unknown, params: unknown, paramsText: string | undefined): Omit<Call, 'id' | 'room'> {
  if (typeof method !== 'string' || method === '') throw invalidRequest('`method` is a text');
  if (params !== undefined && !isObject(params)) throw invalidRequest('`params` is an object or an array');
  if (method !== 'call') return { method, params, paramsText, isViaCall: false };
  const [namespace, query, called, ...rest] = Array.isArray(params) ? (params as readonly unknown[]) : [];
  const isReadable = typeof namespace === 'string' && typeof query === 'string' && rest.length === 0;
  if (!isReadable || (called !== undefined && !isObject(called)))
    throw assertionFailed('params should be [namespace, query, params]');
  const calledText = paramsText && textsIn(Buffer.from(paramsText)).get('2');
  return { method: `${namespace}.${query}`, params: called, paramsText: calledText, isViaCall: true };
}

function textOf(params: unknown): string | undefined {
  try {
    return params === undefined ? undefined : JSON.stringify(params);
  } catch {
    // Unlike JSON.parse it goes down by calls, of which there are only so many.
    throw invalidRequest('`params` is nested too deeply');
  }
}

/** @returns undefined where there is none, or one of a wrong type */
function textOfId(id: unknown, text: string | undefined): string | undefined {
  if (typeof id === 'number') return text ?? String(id);
  return typeof id === 'string' || id === null ? JSON.stringify(id) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
