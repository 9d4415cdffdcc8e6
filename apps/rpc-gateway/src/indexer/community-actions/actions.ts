import { type CommunityAction } from './community-action';
import { flagPost } from './flag-post';
import { mutePost } from './mute-post';
import { pinPost } from './pin-post';
import { setRole } from './set-role';
import { setUserTitle } from './set-user-title';
import { subscribe } from './subscribe';
import { unmutePost } from './unmute-post';
import { unpinPost } from './unpin-post';
import { unsubscribe } from './unsubscribe';
import { updateProps } from './update-props';

/** The actions of communities. To add one, write its file and list it here. */
export const actions: ReadonlyMap<string, CommunityAction> = new Map(
  [subscribe, unsubscribe, setRole, setUserTitle, updateProps, mutePost, unmutePost, pinPost, unpinPost, flagPost].map(
    (action) => [action.name, action],
  ),
);
