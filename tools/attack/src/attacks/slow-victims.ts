import { percentile } from '@waggle/running';
import { pause } from '@waggle/running/waiting';
import { z } from 'zod';
import { hasCounted, type LoadAttack, loadAttack, type Observer } from './attack';
import { attackerAddresses, honestAddress } from '../traffic/addresses';
import { floodWithMessages } from '../traffic/frame-flood';
import { ChatSocket, parseFrame } from '../traffic/chat-socket';
import { ChatRows, controlText, emojiText } from '../target/chat-rows';
import { SlowChatUser } from '../traffic/slow-chat-user';

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

/** The bandwidth of the victim's connection. */
const victimBytesPerSecond = 1_000_000;

/** How often a friend writes to the victim, and how long a message may take before it counts as lost. */
const friendEveryMs = 250;
const lateMs = 10_000;

interface Flood {
  name: string;
  summary: string;
  text: string;
  block: number;
  /** The error that the service limits the flood with. */
  limit: 'invalid-frame' | 'rate-limited';
}

function slowVictim({ text, block, limit, ...description }: Flood): LoadAttack {
  return loadAttack({
    ...description,
    services: ['chat'],
    job,
    isLimited: hasCounted(`error ${limit}`),
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

/** Measures which messages of a friend reach the victim, and how late. */
async function watchVictim({ url, victim, victimToken, friendToken }: Job): Promise<Observer> {
  const delaysMs: number[] = [];
  const sentAtMs = new Map<string, number>();
  const victimLogin = { url, token: victimToken, address: honestAddress };
  const reader = await SlowChatUser.connect(victimLogin, victimBytesPerSecond, (data) => {
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
    const { closeCodes } = reader;
    const p99 = delaysMs.length === 0 ? '–' : `${Math.round(percentile(delaysMs, 0.99))} ms`;
    return [
      { what: 'victim disconnected', value: closeCodes.join(', ') || 'never', isFailure: closeCodes.length > 0 },
      { what: "friend's messages", value: `${delaysMs.length} of ${written} arrived`, isFailure: sentAtMs.size > 0 },
      { what: 'their delay p99', value: p99, isFailure: false },
    ];
  };
  return { stop };
}

export const slowVictims: readonly LoadAttack[] = [
  slowVictim({
    name: 'medium-3',
    summary: 'messages of 24 KB (control characters) to a user who reads 1 MB/s',
    text: controlText,
    block: 9,
    limit: 'invalid-frame',
  }),
  slowVictim({
    name: 'medium-3-emoji',
    summary: 'messages of 16 KB (the largest text that may be sent) to a user who reads 1 MB/s',
    text: emojiText,
    block: 10,
    limit: 'rate-limited',
  }),
];
