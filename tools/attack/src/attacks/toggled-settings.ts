import { pause } from '@waggle/running/waiting';
import { ChatRows } from '../target/chat-rows';
import { ChatUser } from '../target/chat-user';
import { type RuleAttack } from './attack';

/** Direct conversations. Switching the setting on stores an entry in each. */
const conversations = { quick: 10_000, full: 20_000 };

/** Switching it on costs the whole burst of 500 frames; 100 a second come back. */
const burstSeconds = 5;
const attackMs = { quick: 1_000, full: 10_000 };

export const toggledSettings: RuleAttack = {
  kind: 'rule',
  name: 'low-11-settings',
  summary: 'toggles a setting that concerns 20,000 direct conversations, repeatedly',
  services: ['chat'],
  attempt: async (target, { isQuick }) => {
    const user = await ChatUser.start(target);
    await new ChatRows(target).directConversations(user.account, isQuick ? conversations.quick : conversations.full);
    const sinceMs = performance.now();
    const elapsedMs = () => performance.now() - sinceMs;
    let [on, rejected, busyMs] = [0, 0, 0];
    for (let turn = 0; rejected === 0 || elapsedMs() < (isQuick ? attackMs.quick : attackMs.full); turn += 1) {
      const isOn = turn % 2 === 0;
      const startedMs = performance.now();
      const { status } = await user.send('/users/settings', {
        method: 'POST',
        body: JSON.stringify({ dm: { only_from_friends: isOn } }),
      });
      if (status >= 400) {
        rejected += 1;
        await pause(50);
      } else if (isOn) {
        on += 1;
        busyMs += performance.now() - startedMs;
      }
    }
    await user.close();
    const allowed = 1 + elapsedMs() / (burstSeconds * 1_000);
    return [
      {
        what: 'switched on',
        value: `${on} times in ${(elapsedMs() / 1_000).toFixed(1)} s, ${Math.round(busyMs / Math.max(on, 1))} ms each; ${rejected} rejected`,
        isFailure: on > allowed,
      },
    ];
  },
};
