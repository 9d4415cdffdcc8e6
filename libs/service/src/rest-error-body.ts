import { STATUS_CODES } from 'node:http';

/** Codes for what the framework itself refuses, by status. */
const frameworkCodes: Record<number, string> = {
  400: 'invalid-request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'timeout',
  413: 'too-large',
  414: 'too-large',
  415: 'unsupported-media-type',
  429: 'rate-limited',
  431: 'too-large',
  503: 'unavailable',
};

/** The code of a refusal that has no code of its own. */
export function frameworkCode(statusCode: number): string {
  return frameworkCodes[statusCode] ?? 'invalid-request';
}

/** The body of every REST error. */
export function restErrorBody(statusCode: number, code: string, message: string, requestId: string) {
  return { statusCode, error: STATUS_CODES[statusCode] ?? 'Error', code, message, requestId };
}
