import { pause } from '@waggle/running/waiting';
import { z } from 'zod';
import { attackerAddresses } from '../traffic/addresses';
import { floodWithMessages } from '../traffic/frame-flood';
import { ChatSocket, type Login } from '../traffic/chat-socket';
import { type AttackContext } from '../traffic/attack-context';
import { emojiText } from '../target/chat-rows';
import { hasCounted, loadAttack } from './attack';

const job = z.object({
  url: z.string(),
  pairs: z.array(
    z.object({ address: z.string(), reader: z.string(), readerToken: z.string(), writerToken: z.string() }),
  ),
});

/** Accounts that do not read; each may have 100 connections, and tries to have more. */
const readers = { quick: 1, full: 5 };
const socketsOfEach = 105;
/** An address may open 120 connections a minute. */
const reconnectMs = 1_000;

export const unreadSockets = loadAttack({
  name: 'extra-4',
  summary: 'accounts with a hundred WebSockets each that never read, and others that write to them',
  isDistributed: true,
  services: ['chat'],
  job,
  isLimited: hasCounted('unread sockets', 'rejected sockets', 'error rate-limited'),
  prepare: async (target, { isQuick }) => {
    const pairs = [];
    for (const address of attackerAddresses(17, isQuick ? readers.quick : readers.full)) {
      const reader = target.newAccount();
      const { ws_token: readerToken } = await target.logInToChat(reader);
      const { ws_token: writerToken } = await target.logInToChat(target.newAccount());
      pairs.push({ address, reader, readerToken, writerToken });
    }
    return { url: target.service('chat').url, pairs };
  },
  run: async ({ url, pairs }, attacker) => {
    await Promise.all(
      pairs.map(async ({ address, reader, readerToken, writerToken }) => {
        const login = { url, address, token: readerToken };
        const holding = Array.from({ length: socketsOfEach }, () => holdUnread(login, attacker));
        await floodWithMessages({ url, address, token: writerToken }, { to: reader, message: emojiText }, attacker);
        await Promise.all(holding);
      }),
    );
  },
});

/** Keeps one WebSocket open without reading from it. */
async function holdUnread(login: Login, { signal, count }: AttackContext): Promise<void> {
  while (!signal.aborted) {
    try {
      const socket = await ChatSocket.open(login);
      count('unread sockets');
      socket.pause();
      // A socket that is not read does not notice that it was closed, so it is replaced from time to time.
      await pause(20_000, signal);
      socket.close();
    } catch (error) {
      const isRejected = error instanceof Error && error.message === 'not authenticated: error';
      count(isRejected ? 'rejected sockets' : 'failed connections');
    }
    await pause(reconnectMs, signal);
  }
}
