import { PlainError } from '@waggle/running';
import { type Attack, type LoadAttack } from './attack';
import { abortedUploads } from './aborted-uploads';
import { changedKey } from './changed-key';
import { channelJoins } from './channel-joins';
import { chatFloods } from './chat-floods';
import { gatewayFloods } from './gateway-floods';
import { invisibleNames } from './invisible-names';
import { longPostsOfGateway } from './long-posts';
import { manyAddresses } from './many-addresses';
import { manyStrangers } from './many-strangers';
import { parallelRenewals } from './parallel-renewals';
import { pipelinedRequests } from './pipelined-requests';
import { repeatedResumes } from './repeated-resumes';
import { replacedKey } from './replaced-key';
import { replayedProofs } from './replayed-proofs';
import { slowReaders } from './slow-readers';
import { slowVictims } from './slow-victims';
import { unreadExports } from './unread-exports';
import { toggledSettings } from './toggled-settings';
import { unreadBatchesOfGateway } from './unread-batches';
import { unreadLists } from './unread-lists';
import { unreadSockets } from './unread-sockets';
import { unreadVideoSessions } from './unread-video-sessions';
import { unwantedConversations } from './unwanted-conversations';

export const allAttacks: readonly Attack[] = [
  ...unreadLists,
  unreadVideoSessions,
  ...unreadBatchesOfGateway,
  ...slowVictims,
  repeatedResumes,
  channelJoins,
  ...unreadExports,
  changedKey,
  unwantedConversations,
  replacedKey,
  invisibleNames,
  abortedUploads,
  toggledSettings,
  ...slowReaders,
  manyAddresses,
  pipelinedRequests,
  unreadSockets,
  ...gatewayFloods,
  ...longPostsOfGateway,
  ...chatFloods,
  manyStrangers,
  parallelRenewals,
  replayedProofs,
];

export const loadAttacks = allAttacks.filter((attack): attack is LoadAttack => attack.kind === 'load');

/** @throws PlainError if no attack has that name */
export function findAttack(name: string): Attack {
  const found = allAttacks.find((attack) => attack.name === name);
  if (found === undefined) throw new PlainError(`There is no attack ${name}.`);
  return found;
}

/** @throws PlainError if no attack by load has that name */
export function findLoadAttack(name: string): LoadAttack {
  const found = loadAttacks.find((attack) => attack.name === name);
  if (found === undefined) throw new PlainError(`There is no attack by load ${name}.`);
  return found;
}
