import { type Call } from '../rpc/call';
import { JsonText } from '../rpc/json-text';
import { gatewayResponse, type RpcResponse } from '../rpc/rpc-response';

/**
 * The result of a call from the index. It counts against the budget of the request as soon as it is made, because many
 * long results may wait in memory until the state of the index is read again.
 */
export class CountedResult {
  private bytes = 0;
  private isDropped = false;

  constructor(private readonly call: Call) {}

  /** Makes the response. One that does not fit into the budget is an error. */
  take(value: unknown): RpcResponse {
    const json = jsonOf(value);
    const { id, budget } = this.call;
    // The response to a notification is not sent.
    if (id === undefined || this.isDropped) return gatewayResponse('', 'result');
    const bytes = resultName.length + json.bytes;
    if (!budget.take(bytes)) return { ...gatewayResponse('', 'too-long'), unsentBytes: bytes };
    this.bytes = bytes;
    return { ...resultResponse(json), isCounted: true };
  }

  /** Gives the bytes back, since the result is not sent. */
  drop(): void {
    this.isDropped = true;
    if (this.bytes > 0) this.call.budget.giveBack(this.bytes);
    this.bytes = 0;
  }
}

const resultName = '"result":';

export function jsonOf(result: unknown): JsonText {
  return result instanceof JsonText ? result : new JsonText(JSON.stringify(result));
}

export function resultResponse({ parts: [first = '', ...rest] }: JsonText): RpcResponse {
  return { ...gatewayResponse(`${resultName}${first}`, 'result'), rest };
}
