import { findCommand } from '../custom/command';
import { type Book } from '../book/book';
import { type Effect, type Moment } from '../effects';
import { type Needs } from '../needs';
import { tell } from '../telling';
import { actions } from './actions';
import { type CommunityAction } from './community-action';
import { CommunityCall } from './community-call';
import { type Payload, requireKeys, textOf, valueOf } from './payload';
import { Refusal, refuseUnless } from './refusal';
import { communityScore, findCommunity } from './register-community';

/** `[action, {"community": …, …}]`. What is no action is nothing; one that is refused is told to its signer. */
export function readCommunityAction(signer: string, json: unknown): Effect | undefined {
  const command = findCommand(json);
  const action = command && actions.get(command.name);
  if (command === undefined || action === undefined) return undefined;
  const { payload } = command;
  return {
    need: (needs) => {
      needWhatIsNamed(needs, signer, payload);
    },
    apply: (book, moment) => {
      applyAction(book, moment, { signer, action, payload });
    },
  };
}

/** Whatever the action: it has all of these or refuses. */
function needWhatIsNamed(needs: Needs, signer: string, payload: Payload): void {
  const named = (key: string) => {
    const value = valueOf(payload, key);
    return typeof value === 'string' ? value : '';
  };
  const [community, account, permlink] = [named('community'), named('account'), named('permlink')];
  needs.community(community);
  for (const name of [signer, account]) {
    needs.member(name);
    needs.subscription(name, community);
  }
  if (permlink !== '') needs.mark(signer, { author: account, permlink });
}

function applyAction(
  book: Book,
  moment: Moment,
  { signer, action, payload }: { signer: string; action: CommunityAction; payload: Payload },
): void {
  const actor = book.accounts.find(signer);
  if (actor === undefined) return;
  const named = valueOf(payload, 'community');
  const community = typeof named === 'string' ? findCommunity(book, named) : undefined;
  try {
    requireKeys(payload, ['community', ...action.keys], true);
    const name = textOf(payload, 'community', { most: 16 });
    refuseUnless(community !== undefined, `Community '${name}' does not exist`);
    action.act(new CommunityCall(book, moment, actor, community, payload));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    tell(book, moment, 'error', {
      recipientId: actor.id,
      sourceId: community?.id ?? null,
      communityId: community?.id ?? null,
      score: communityScore,
      payload: error.reason,
    });
  }
}
