import { STATUS_CODES } from 'node:http';
import { type LimitName } from './limit-names';

/** Codes of the framework's own errors, by status. */
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

/** The code of an error that has none. */
export function frameworkCode(statusCode: number): string {
  return frameworkCodes[statusCode] ?? 'invalid-request';
}

export interface RestErrorBody {
  statusCode: number;
  error: string;
  code: string;
  message: string;
  requestId: string;
  limit?: LimitName;
}

/** Creates the body of a service's REST errors from the common one, such as by adding fields. */
export type ErrorBody = (body: RestErrorBody) => object;

/** The body of every REST error. */
export function restErrorBody(
  statusCode: number,
  code: string,
  message: string,
  requestId: string,
  limit?: LimitName,
): RestErrorBody {
  const body = { statusCode, error: STATUS_CODES[statusCode] ?? 'Error', code, message, requestId };
  return limit === undefined ? body : { ...body, limit };
}
