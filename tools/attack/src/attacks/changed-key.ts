import { ChatUser } from '../target/chat-user';
import { mustBeRejected, type RuleAttack } from './attack';

export const changedKey: RuleAttack = {
  kind: 'rule',
  name: 'medium-7',
  summary: "renews a chat session whose key is no longer one of the account's",
  services: ['chat'],
  before: 'renewed',
  attempt: async (target) => {
    const user = await ChatUser.start(target);
    // As if the account had changed its key after the log-in, and the next check of the key were due.
    await target.query(
      'chat',
      `UPDATE session SET signing_key = '\\x02'::bytea || sha256('former key'), key_confirmed_at = now() - interval '1 hour'
       WHERE account = $1`,
      [user.account],
    );
    const { status } = await user.send('/users/refresh-token', {}, user.session.refresh_token);
    await user.close();
    return [mustBeRejected('renewal', status < 400)];
  },
};
