import { assertion } from '../errors';
import { fieldsOf, textOf } from '../fields';
import { accountCreate } from './account-create';
import { accountCreateWithDelegation } from './account-create-with-delegation';
import { accountUpdate } from './account-update';
import { accountUpdate2 } from './account-update2';
import { comment } from './comment';
import { customJson } from './custom-json';
import { delegateVestingShares } from './delegate-vesting-shares';
import { deleteComment } from './delete-comment';
import { type Operation, type OperationKind } from './operation';
import { transfer } from './transfer';
import { transferToVesting } from './transfer-to-vesting';
import { vote } from './vote';

/** Every operation that the devnet understands. To add one, write its file and name it here. */
const kinds: readonly OperationKind[] = [
  accountCreate,
  accountCreateWithDelegation,
  accountUpdate,
  accountUpdate2,
  comment,
  customJson,
  delegateVestingShares,
  deleteComment,
  transfer,
  transferToVesting,
  vote,
];

const kindByName = new Map(kinds.map((kind) => [kind.name, kind]));

/**
 * Reads an operation in either dialect: `["transfer", {…}]` or `{type: "transfer_operation", value: {…}}`.
 * @throws NodeError if the operation is unknown or invalid.
 */
export function readOperation(json: unknown): Operation {
  const [name, value] = Array.isArray(json) ? [textOf(json[0]), json[1] as unknown] : fromAppbase(json);
  const kind = kindByName.get(name);
  if (!kind) throw assertion('itr != to_tag.end()', 'Invalid object name: ${n}', { n: name });
  return kind.read(value);
}

function fromAppbase(json: unknown): [name: string, value: unknown] {
  const { type, value } = fieldsOf(json);
  return [textOf(type).replace(/_operation$/, ''), value];
}
