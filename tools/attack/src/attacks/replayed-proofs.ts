import { signedLogins } from '@waggle/running';
import { mustBeRejected, type RuleAttack } from './attack';

export const replayedProofs: RuleAttack = {
  kind: 'rule',
  name: 'extra-11',
  summary: 'logs in twice with one proof, which Redis has lost in between by a restart',
  services: ['chat', 'video-auth'],
  attempt: async (target) => {
    const account = target.newAccount();
    const ts = String(Date.now());
    const body = signedLogins([account], 1).join();
    const logIns = {
      'chat log-in': () => target.logInToChat(account, ts),
      'video log-in': () => target.logInToVideo(account, body),
    };
    for (const logIn of Object.values(logIns)) await logIn();
    await target.forgetProofs(account);
    const findings = Object.entries(logIns).map(async ([what, logIn]) => {
      const failure = await logIn().then(() => undefined, String);
      if (failure?.includes('proof-replayed') === false) throw new Error(failure);
      return mustBeRejected(`second ${what}`, failure === undefined);
    });
    return await Promise.all(findings);
  },
};
