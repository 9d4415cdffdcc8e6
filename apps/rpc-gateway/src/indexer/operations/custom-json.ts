import { type FollowedOperation, onOperation } from '@waggle/chain';
import { z } from 'zod';
import { readCommunityAction } from '../community-actions/read-community-action';
import { readFollow } from '../custom-json/follow';
import { parseCommand, parseJson } from '../custom-json/parse-json';
import { readSetLastRead } from '../custom-json/set-last-read';
import { readReblog } from '../custom-json/reblog';
import { type IndexUpdate, type IndexUpdates } from '../changeset/index-updates';
import { type NetworkRules } from '../network-rules';

/** Reads the JSON of a custom operation in a block with this number. @returns undefined if it is not valid */
type Reader = (signer: string, json: unknown, block: number, rules: NetworkRules) => IndexUpdate | undefined;

/**
 * From this block on, a follow or reblog needs a command, on every chain: `CustomOp.process_op` of
 * openhive-network/hivemind.
 */
const commandsFrom = 6_000_000;

/**
 * Reads `["follow", {…}]` and `["reblog", {…}]` or, in an early block, the payload alone, whose command is the id of
 * the operation.
 */
function socialReader(id: 'follow' | 'reblog'): Reader {
  return (signer, json, block) => {
    const command = parseCommand(block < commandsFrom && !Array.isArray(json) ? [id, json] : json);
    if (command?.name === 'follow') return readFollow(signer, command.payload);
    return command?.name === 'reblog' ? readReblog(signer, command.payload) : undefined;
  };
}

const readers = new Map<string, Reader>([
  ['follow', socialReader('follow')],
  ['reblog', socialReader('reblog')],
  [
    'community',
    (signer, json, block, { communitiesFrom }) =>
      block >= communitiesFrom ? readCommunityAction(signer, json) : undefined,
  ],
  ['notify', readSetLastRead],
]);

/**
 * Whether an operation is of another type, or has an id of the index. A malformed id passes, so that the handler
 * rejects it.
 */
export function isWantedCustomJson({ type, value }: Pick<FollowedOperation, 'type' | 'value'>): boolean {
  const { id } = value;
  return type !== customJson.type || typeof id !== 'string' || readers.has(id);
}

/**
 * Operations that applications define and the chain does not validate. If their JSON is not what the index expects,
 * they are ignored.
 */
export const customJson = onOperation(
  'custom_json_operation',
  z.object({
    required_auths: z.array(z.string()),
    required_posting_auths: z.array(z.string()),
    id: z.string(),
    json: z.string(),
  }),
  (updates: IndexUpdates, { required_auths: active, required_posting_auths: posting, id, json }, position) => {
    const [signer] = posting;
    const read = readers.get(id);
    // Exactly one account must have signed, with its posting key.
    if (read === undefined || signer === undefined || active.length > 0 || posting.length > 1) return;
    const update = read(signer, parseJson(json), position.block.number, updates.rules);
    if (update) updates.add(position, update);
  },
);
