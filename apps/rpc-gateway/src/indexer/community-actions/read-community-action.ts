import { type Changeset } from '../changeset/changeset';
import { type IndexUpdate } from '../changeset/index-updates';
import { type ReadSet } from '../changeset/read-set';
import { notify } from '../changeset/notification-rules';
import { parseCommand } from '../custom-json/parse-json';
import { type CommunityAction, CommunityActionContext } from './community-action';
import { setRole, setUserTitle } from './member-actions';
import { type Payload, requireKeys, textOf, valueOf } from './payload';
import { CommunityActionError, rejectUnless } from './community-action-error';
import { flagPost, mutePost, pinPost, unmutePost, unpinPost } from './post-actions';
import { communityScore, findCommunity } from './register-community';
import { subscribe, unsubscribe } from './subscription-actions';
import { updateProps } from './update-props';

/** The actions of communities. To add one, list it here. */
const actions: ReadonlyMap<string, CommunityAction> = new Map(
  [subscribe, unsubscribe, setRole, setUserTitle, updateProps, mutePost, unmutePost, pinPost, unpinPost, flagPost].map(
    (action) => [action.name, action],
  ),
);

/**
 * Reads `[action, {"community": …, …}]`. If the action is rejected when it is applied, its signer gets a notification.
 *
 * @returns undefined for JSON of another form, or an unknown action
 */
export function readCommunityAction(signer: string, json: unknown): IndexUpdate | undefined {
  const command = parseCommand(json);
  const action = command && actions.get(command.name);
  if (command === undefined || action === undefined) return undefined;
  const { payload } = command;
  return {
    declareReads: (readSet) => {
      declareNamedRows(readSet, signer, payload);
    },
    apply: (changeset, time) => {
      applyAction(changeset, time, { signer, action, payload });
    },
  };
}

/** The rows that any action may read. Keys that are missing or invalid are rejected later. */
function declareNamedRows(readSet: ReadSet, signer: string, payload: Payload): void {
  const textAt = (key: string): string => {
    const value = valueOf(payload, key);
    return typeof value === 'string' ? value : '';
  };
  const [community, account, permlink] = [textAt('community'), textAt('account'), textAt('permlink')];
  readSet.addCommunity(community);
  for (const name of [signer, account]) {
    readSet.addRolesOf(name);
    readSet.addSubscription(name, community);
  }
  if (permlink !== '') readSet.addPostAction(signer, { author: account, permlink });
}

function applyAction(
  changeset: Changeset,
  time: Date,
  { signer, action, payload }: { signer: string; action: CommunityAction; payload: Payload },
): void {
  const actor = changeset.accounts.find(signer);
  if (actor === undefined) return;
  const communityName = valueOf(payload, 'community');
  // Found first, since the notification of a rejection names it.
  const community = typeof communityName === 'string' ? findCommunity(changeset, communityName) : undefined;
  try {
    requireKeys(payload, ['community', ...action.keys]);
    const name = textOf(payload, 'community', { maxLength: 16 });
    rejectUnless(community !== undefined, `Community '${name}' does not exist`);
    action.apply(new CommunityActionContext(changeset, time, actor, community, payload));
  } catch (error) {
    if (!(error instanceof CommunityActionError)) throw error;
    notify(changeset, time, 'error', {
      recipientId: actor.id,
      sourceId: community?.id ?? null,
      communityId: community?.id ?? null,
      score: communityScore,
      payload: error.reason,
    });
  }
}
