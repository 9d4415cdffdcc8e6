import { assertionFailed, invalidRequest, notJsonRpc2, maxRpcBatch, RpcError, unparsable } from '@waggle/contracts';
import { type RequestByteBudget } from './request-byte-budget';
import { type Call, type InvalidCall } from './call';
import { textsIn } from './json-texts';

/** The items of a body, in their order. */
export interface Body {
  readonly items: readonly (Call | InvalidCall)[];
  readonly isBatch: boolean;
}

/** Far longer than any method; error messages repeat the name. */
const maxMethodLength = 128;

/**
 * Matches numbers that `JSON.stringify(JSON.parse(…))` may change: more than 15 digits, exponents, small fractions,
 * fractions that end in zero and negative zero. A match inside a string only costs time.
 */
const changingNumber = /[\d.]{16}|\d[eE]|0\.0{6}|(?:\.\d*|-)0(?=[,\s}\]])/;

/**
 * Decodes a body by the rules of JSON-RPC 2.0. If the body as a whole is invalid, it returns a single invalid call. It
 * does not use `rpcRequest` of the contract, because each mistake has an error of its own; a test checks that both
 * reject the same items.
 *
 * @param budget limits the bytes of the responses; part of each call
 */
export function decodeBody(text: string, budget: RequestByteBudget): Body {
  try {
    return decodeItems(parse(text), text, budget);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { items: [{ id: 'null', error }], isBatch: false };
  }
}

function decodeItems(value: unknown, text: string, budget: RequestByteBudget): Body {
  const changingText = changingNumber.test(text) ? text : undefined;
  if (!Array.isArray(value)) return { items: [decodeItem(value, changingText, budget)], isBatch: false };
  if (value.length === 0) throw invalidRequest('the batch is empty');
  if (value.length > maxRpcBatch) throw invalidRequest(`a batch has at most ${maxRpcBatch} calls`);
  const itemTexts = changingText === undefined ? undefined : textsIn(Buffer.from(changingText));
  const items = value.map((item: unknown, index) => decodeItem(item, itemTexts?.get(String(index)), budget));
  return { items, isBatch: true };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unparsable();
  }
}

/** The members whose texts are preserved. */
const preserved = new Set(['id', 'params']);
/** The position, in the parameters of `call`, of the parameters of the called method. */
const calledParameters = new Set(['2']);

/** @param text its JSON text, if it may contain a number that JavaScript would change */
function decodeItem(item: unknown, text: string | undefined, budget: RequestByteBudget): Call | InvalidCall {
  if (!isObjectOrArray(item) || Array.isArray(item))
    return { id: 'null', error: invalidRequest('a call must be an object') };
  const texts = text === undefined ? undefined : textsIn(Buffer.from(text), preserved);
  const id = textOfId(item['id'], texts?.get('id'));
  try {
    if (item['jsonrpc'] !== '2.0') throw notJsonRpc2();
    if (id === undefined && item['id'] !== undefined) throw invalidRequest('`id` must be a string, a number or null');
    const called = readMethod(item['method'], item['params'], texts?.get('params'));
    if (called.method.length > maxMethodLength) throw invalidRequest('`method` is too long');
    return { id, ...called, paramsText: called.paramsText ?? textOf(called.params), budget };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { id: id ?? 'null', error };
  }
}

function readMethod(method: unknown, params: unknown, paramsText: string | undefined): Omit<Call, 'id' | 'budget'> {
  if (typeof method !== 'string' || method === '') throw invalidRequest('`method` must be a string, and not empty');
  if (params !== undefined && !isObjectOrArray(params)) throw invalidRequest('`params` must be an object or an array');
  if (method !== 'call') return { method, params, paramsText, isViaCall: false };
  const [namespace, name, calledParams, ...rest] = Array.isArray(params) ? (params as readonly unknown[]) : [];
  const isReadable = typeof namespace === 'string' && typeof name === 'string' && rest.length === 0;
  if (!isReadable || (calledParams !== undefined && !isObjectOrArray(calledParams)))
    throw assertionFailed('params should be [namespace, query, params]');
  const calledText = paramsText && textsIn(Buffer.from(paramsText), calledParameters).get('2');
  return { method: `${namespace}.${name}`, params: calledParams, paramsText: calledText, isViaCall: true };
}

function textOf(params: unknown): string | undefined {
  try {
    return params === undefined ? undefined : JSON.stringify(params);
  } catch {
    // Unlike JSON.parse, JSON.stringify is recursive and exhausts the call stack.
    throw invalidRequest('`params` is nested too deeply');
  }
}

/** Returns the JSON text of an id; undefined if there is none, or one of a wrong type. */
function textOfId(id: unknown, text: string | undefined): string | undefined {
  if (typeof id === 'number') return text ?? String(id);
  return typeof id === 'string' || id === null ? JSON.stringify(id) : undefined;
}

function isObjectOrArray(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
