import { type RuleAttack } from '../attack';
import { ChatRows } from '../target/chat-rows';
import { ChatUser } from '../target/chat-user';

const conversations = 20_000;
const attackMs = { quick: 3_000, full: 10_000 };

/** An account that toggles a setting must not keep the database busy for more than this share of the time. */
const maxShare = 0.25;

export const toggledSettings: RuleAttack = {
  kind: 'rule',
  name: 'low-11-settings',
  summary: 'toggles a setting again and again that concerns 20,000 direct conversations',
  services: ['chat'],
  attempt: async (target, { isQuick }) => {
    const user = await ChatUser.start(target);
    await new ChatRows(target).directConversations(user.account, conversations);
    const sinceMs = performance.now();
    let [done, refused, busyMs] = [0, 0, 0];
    const limitMs = isQuick ? attackMs.quick : attackMs.full;
    for (let turn = 0; performance.now() - sinceMs < limitMs; turn += 1) {
      const body = JSON.stringify({ dm: { only_from_friends: turn % 2 === 0 } });
      const startedMs = performance.now();
      const { status } = await user.send('/users/settings', { method: 'POST', body });
      if (status >= 400) refused += 1;
      else {
        done += 1;
        busyMs += performance.now() - startedMs;
      }
    }
    await user.close();
    const share = busyMs / (performance.now() - sinceMs);
    return [
      {
        what: `changes in ${limitMs / 1_000} s`,
        value: `${done} done of ${Math.round(busyMs / Math.max(done, 1))} ms each, ${refused} refused; ${Math.round(share * 100)} % of the time`,
        isFault: share > maxShare,
      },
    ];
  },
};
