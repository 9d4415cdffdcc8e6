import { percentile } from '@waggle/running';
import { z } from 'zod';
import { type LoadAttack, type Observer } from '../attack';
import { attackerAddresses, honestAddress } from '../attacker/addresses';
import { floodWithMessages } from '../attacker/message-flood';
import { pause } from '../attacker/pause';
import { ChatSocket, parseFrame } from '../chat-socket';
import { ChatRows, controlText, emojiText } from '../target/chat-rows';
import { loadAttack } from './load-attack';
import { SlowReader } from './slow-reader';

const job = z.object({
  url: z.string(),
  address: z.string(),
  text: z.string(),
  victim: z.string(),
  attackerToken: z.string(),
  victimToken: z.string(),
  friendToken: z.string(),
});
type Job = z.infer<typeof job>;

/** What the victim's connection carries. */
const victimBytesPerSecond = 1_000_000;

/** How often a friend writes to the victim, and how long a message may take before it counts as lost. */
const friendEveryMs = 250;
const lateMs = 10_000;

function slowVictim(name: string, summary: string, text: string, block: number): LoadAttack {
  return loadAttack({
    name,
    summary,
    services: ['chat'],
    job,
    prepare: async (target) => {
      const [attacker, victim, friend] = [target.newAccount(), target.newAccount(), target.newAccount()];
      await new ChatRows(target).friendship(victim, friend);
      return {
        url: target.service('chat').url,
        address: attackerAddresses(block, 1).join(),
        text,
        victim,
        attackerToken: (await target.logInToChat(attacker)).ws_token,
        victimToken: (await target.logInToChat(victim)).ws_token,
        friendToken: (await target.logInToChat(friend)).ws_token,
      };
    },
    observe: (_target, given) => watchVictim(given),
    run: ({ url, address, attackerToken: token, victim: to }, attacker) =>
      floodWithMessages({ url, address, token }, { to, message: text }, attacker),
  });
}

/** A friend writes to the victim all the time: what arrives, and how late? */
async function watchVictim({ url, victim, victimToken, friendToken }: Job): Promise<Observer> {
  const delaysMs: number[] = [];
  const sentAtMs = new Map<string, number>();
  const victimLogin = { url, token: victimToken, address: honestAddress };
  const reader = await SlowReader.connect(victimLogin, victimBytesPerSecond, (data) => {
    const content = String(parseFrame(data).payload['content']);
    const atMs = sentAtMs.get(content);
    if (atMs !== undefined) delaysMs.push(performance.now() - atMs);
    sentAtMs.delete(content);
  });
  const friend = await ChatSocket.open({ url, token: friendToken, address: honestAddress });
  let written = 0;
  const writing = setInterval(() => {
    written += 1;
    const message = `message ${written} of a friend`;
    sentAtMs.set(message, performance.now());
    friend.send('chat-message', { to: victim, message });
  }, friendEveryMs);
  const stop = async () => {
    clearInterval(writing);
    const untilMs = performance.now() + lateMs;
    while (sentAtMs.size > 0 && reader.isConnected && performance.now() < untilMs) await pause(50);
    reader.close();
    friend.close();
    const { closes } = reader;
    const p99 = delaysMs.length === 0 ? '–' : `${Math.round(percentile(delaysMs, 0.99))} ms`;
    return [
      { what: 'victim disconnected', value: closes.join(', ') || 'never', isFault: closes.length > 0 },
      { what: "friend's messages", value: `${delaysMs.length} of ${written} arrived`, isFault: sentAtMs.size > 0 },
      { what: 'their delay p99', value: p99, isFault: false },
    ];
  };
  return { stop };
}

export const slowVictims: readonly LoadAttack[] = [
  slowVictim('medium-3', 'messages of 24 KB (control characters) to a user who reads 1 MB/s', controlText, 9),
  slowVictim('medium-3-emoji', 'the same with the heaviest text that is allowed, 16 KB', emojiText, 10),
];
