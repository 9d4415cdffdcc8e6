import { NodeError } from '../../errors';

/** Error codes of a social gateway. Its code for invalid calls differs from hived's. */
const wrongCall = -32602;
const noSuchApi = -32601;

/** @param message follows a constant prefix; clients compare it. */
export function gatewayError(message: string): NodeError {
  const exception = { code: 10, name: 'assert_exception', message: 'Assert Exception' };
  return new NodeError(wrongCall, `${exception.message}:${message}`, {
    ...exception,
    extension: { assertion_expression: message },
  });
}

export function unknownApi(name: string): NodeError {
  return new NodeError(noSuchApi, `Api not found ${name}`);
}

export function unknownMethod(name: string): NodeError {
  return gatewayError(`unknown method: ${name}`);
}
