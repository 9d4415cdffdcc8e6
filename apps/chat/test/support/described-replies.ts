import { type ClientFrameType, type ServerFrameType } from '@waggle/contracts';
import { errorsOf } from '../../src/api-description/asyncapi';
import { clientFrameDefinitions } from '../../src/client-frames';
import { ContractError } from './contract';

/**
 * Checks that the description of a frame contains the reply. Unknown types are not described.
 *
 * @param sent the types of the frames that were sent with the reference of the reply
 * @throws ContractError
 */
export function assertDescribedReply(reply: ServerFrameType, sent: ReadonlySet<string>) {
  if (reply === 'error') return;
  const described = [...sent].flatMap((type) => (isDescribed(type) ? clientFrameDefinitions[type].replies : []));
  if (!described.includes(reply)) {
    throw new ContractError(`the reply to ${[...sent].join(', ')} was ${reply}; described are ${described.join(', ')}`);
  }
}

/** @throws ContractError if the description of the frame does not have the error code */
export function assertDescribedError({ request_type: type, code }: { request_type: string | null; code: string }) {
  if (type === null || !isDescribed(type)) return;
  const codes: string[] = errorsOf(clientFrameDefinitions[type]);
  if (!codes.includes(code)) {
    throw new ContractError(`the error of ${type} was ${code}; described are ${codes.join(', ')}`);
  }
}

function isDescribed(type: string): type is ClientFrameType {
  return Object.hasOwn(clientFrameDefinitions, type);
}
