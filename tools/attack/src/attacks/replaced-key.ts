import { devnetKeys } from '@waggle/devnet';
import { pause } from '@waggle/running/waiting';
import { mustBeRejected, type RuleAttack } from './attack';

/** Longer than a service trusts a cached authority (3 s), and shorter than the 60 s that it is cached under load. */
const trustedMs = 4_000;

export const replacedKey: RuleAttack = {
  kind: 'rule',
  name: 'low-9',
  summary: 'logs in with a posting key that was replaced four seconds ago',
  services: ['chat', 'video-auth'],
  attempt: async (target) => {
    const account = target.newAccount();
    const logIns = {
      chat: () => target.logInToChat(account),
      'video log-in': () => target.logInToVideo(account),
    };
    for (const logIn of Object.values(logIns)) await logIn();
    target.devnet.changeKey(account, 'posting', devnetKeys(target.newAccount()).posting.publicKey);
    await pause(trustedMs);
    const findings = Object.entries(logIns).map(async ([service, logIn]) => {
      const isAllowed = await logIn().then(
        () => true,
        () => false,
      );
      return mustBeRejected(`${service} with the replaced key`, isAllowed);
    });
    return await Promise.all(findings);
  },
};
