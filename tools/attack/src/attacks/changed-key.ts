import { pause } from '@waggle/running/waiting';
import { ChatUser } from '../target/chat-user';
import { type Target } from '../target/target';
import { mustBeRejected, type RuleAttack } from './attack';

/** The service does not call the chain for five seconds after a timeout. */
const retryMs = 5_000;
const maxAttempts = 3;

export const changedKey: RuleAttack = {
  kind: 'rule',
  name: 'medium-7',
  summary: "renews a chat session whose key is no longer one of the account's",
  services: ['chat'],
  attempt: async (target) => {
    const user = await ChatUser.start(target);
    const before = await renew(target, user);
    // Instead of a change on the chain, which the service may notice a minute later: it caches authorities.
    const formerKey = `UPDATE session SET signing_key = '\\x02'::bytea || sha256('former key') WHERE account = $1`;
    await target.query('chat', formerKey, [user.account]);
    const after = await renew(target, user);
    const { status } = await user.send('/users/sessions');
    await user.close();
    const isRenewed = before < 400;
    return [
      { what: 'renewal with a valid key', value: isRenewed ? 'allowed' : `status ${before}`, isFailure: !isRenewed },
      mustBeRejected('renewal with a former key', after !== 401),
      mustBeRejected('requests of that session', status !== 401),
    ];
  },
};

/** Lets the next check of the key become due and renews the session. @returns the status of the response */
async function renew(target: Target, user: ChatUser): Promise<number> {
  // Longer than the interval of the checks and the time that a session continues without one.
  const checkIsDue = `UPDATE session SET key_confirmed_at = now() - interval '1 day' WHERE account = $1`;
  await target.query('chat', checkIsDue, [user.account]);
  for (let attempt = 1; ; attempt += 1) {
    const { status } = await user.send('/users/refresh-token', {}, user.session.refresh_token);
    if (status !== 503 || attempt === maxAttempts) return status;
    await pause(retryMs);
  }
}
