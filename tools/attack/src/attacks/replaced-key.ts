import { devnetKeys } from '@waggle/devnet';
import { outcomeOf, type RuleAttack } from '../attack';
import { pause } from '../attacker/pause';

/** Within the time for which authorities are cached (60 s), and longer than a cached one may be trusted. */
const waitMs = 10_000;

export const replacedKey: RuleAttack = {
  kind: 'rule',
  name: 'low-9',
  summary: 'logs in with a posting key that was replaced ten seconds ago',
  services: ['chat', 'video-auth'],
  attempt: async (target) => {
    const account = target.newAccount();
    const logIns = {
      chat: () => target.logInToChat(account),
      'video log-in': () => target.logInToVideo(account),
    };
    for (const logIn of Object.values(logIns)) await logIn();
    target.devnet.changeKey(account, 'posting', devnetKeys(target.newAccount()).posting.publicKey);
    await pause(waitMs);
    const outcomes = Object.entries(logIns).map(async ([service, logIn]) => {
      const isAllowed = await logIn().then(
        () => true,
        () => false,
      );
      return outcomeOf(`${service} with the replaced key`, isAllowed);
    });
    return await Promise.all(outcomes);
  },
};
