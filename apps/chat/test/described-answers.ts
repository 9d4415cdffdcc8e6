import { type ClientFrameType, type ServerFrameType } from '@waggle/contracts';
import { errorsOf } from '../src/api-description/asyncapi';
import { frames } from '../src/frames';
import { ContractError } from './contract';

/**
 * What came back for a frame of ours must be what the description of that frame has. Of types that are none the
 * description says nothing.
 *
 * @param asked the types of the frames that were sent with the mark that came back
 * @throws ContractError
 */
export function assertDescribedAnswer(answer: ServerFrameType, asked: ReadonlySet<string>) {
  if (answer === 'error') return;
  const answers = [...asked].flatMap((type) => (isDescribed(type) ? frames[type].replies : []));
  if (!answers.includes(answer)) {
    throw new ContractError(`${[...asked].join(', ')} was answered by ${answer}; described are ${answers.join(', ')}`);
  }
}

/** @throws ContractError where a frame of that type is refused by a code that its description does not have */
export function assertDescribedRefusal({ request_type: type, code }: { request_type: string | null; code: string }) {
  if (type === null || !isDescribed(type)) return;
  const codes: string[] = errorsOf(frames[type]);
  if (!codes.includes(code)) {
    throw new ContractError(`${type} was refused by ${code}; described are ${codes.join(', ')}`);
  }
}

function isDescribed(type: string): type is ClientFrameType {
  return Object.hasOwn(frames, type);
}
