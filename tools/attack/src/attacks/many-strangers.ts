import { pause } from '@waggle/running/waiting';
import { ChatUser } from '../target/chat-user';
import { type RuleAttack } from './attack';

/** A new conversation costs 50 frames. An account has 500 at first, and then 100 a second. */
const firstConversations = 10;
const conversationsPerSecond = 2;

const rounds = { quick: 1, full: 5 };
/** Few enough that the service does not close the WebSocket, as it does after 200 rejections in ten seconds. */
const strangersPerRound = 40;
const pauseMs = 2_000;

export const manyStrangers: RuleAttack = {
  kind: 'rule',
  name: 'extra-9',
  summary: 'starts direct conversations with as many strangers as possible, by a message to each',
  services: ['chat'],
  attempt: async (target, { isQuick }) => {
    const user = await ChatUser.start(target);
    const sinceMs = performance.now();
    let [sent, started] = [0, 0];
    while (sent < strangersPerRound * (isQuick ? rounds.quick : rounds.full)) {
      if (sent > 0) await pause(pauseMs);
      const strangers = Array.from({ length: strangersPerRound }, (_none, index) => `${user.account}-${sent + index}`);
      for (const name of strangers) target.devnet.createAccount(name);
      const outcomes = await Promise.all(
        strangers.map((to) => user.may('chat-message', { to, message: 'hello' }).catch(() => false)),
      );
      sent += strangers.length;
      started += outcomes.filter(Boolean).length;
    }
    await user.close();
    const seconds = (performance.now() - sinceMs) / 1_000;
    return [
      {
        what: 'conversations',
        value: `${started} in ${seconds.toFixed(1)} s; ${sent - started} rejected`,
        isFailure: started === 0 || started > firstConversations + conversationsPerSecond * seconds,
      },
    ];
  },
};
