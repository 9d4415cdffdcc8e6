import { devnetKeys } from '@waggle/devnet';
import { outcomeOf, type RuleAttack } from '../attack';
import { pause } from '../attacker/pause';
import { ChatUser } from '../target/chat-user';

/** Longer than the chain is not asked again, by the setting below. */
const keyCheckSeconds = 1;
const waitMs = 3_000;

export const changedKey: RuleAttack = {
  kind: 'rule',
  name: 'medium-7',
  summary: "renews a chat session after the account's posting key was changed",
  services: ['chat'],
  attempt: async (target) => {
    await target.restart('chat', { KEY_CHECK_SECONDS: String(keyCheckSeconds), AUTHORITY_CACHE_SECONDS: '1' });
    const user = await ChatUser.start(target);
    target.devnet.changeKey(user.account, 'posting', devnetKeys(target.newAccount()).posting.publicKey);
    await pause(waitMs);
    const { status } = await user.send('/users/refresh-token', {}, user.session.refresh_token);
    await user.close();
    // The next attack has the default settings again.
    await target.stop('chat');
    return [outcomeOf('renewal after the key was changed', status < 400)];
  },
};
