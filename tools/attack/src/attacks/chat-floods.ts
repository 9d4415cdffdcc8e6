import { pause } from '@waggle/running/waiting';
import { z } from 'zod';
import { ChatRows } from '../target/chat-rows';
import { attackerAddresses } from '../traffic/addresses';
import { ChatSocket, parseFrame } from '../traffic/chat-socket';
import { floodWithFrames } from '../traffic/frame-flood';
import { hasCounted, type LoadAttack, loadAttack } from './attack';

const job = z.object({ url: z.string(), token: z.string(), address: z.string() });

/** As many as an account may have. */
const sockets = { quick: 30, full: 100 };

/** Friends that the service reads for each request for presence. */
const friends = 1_000;

/** What sockets repeat: each socket one of them, since an unfinished message allows no other. */
const floods: readonly ((socket: ChatSocket) => void)[] = [
  (socket) => {
    socket.ping();
  },
  (socket) => {
    socket.send('authenticate', { capabilities: ['presence'] });
  },
  (socket) => {
    socket.sendFragment();
  },
];

const socketFloods = loadAttack({
  name: 'extra-7',
  summary: 'one account floods a hundred WebSockets with pings, requests for presence, and fragments of one byte',
  services: ['chat'],
  job: job.extend({ sockets: z.number() }),
  isLimited: hasCounted('closed 1008', 'closed 4008'),
  prepare: async (target, { isQuick }) => {
    const account = target.newAccount();
    await new ChatRows(target).friendsAndBlocks(account, friends);
    const { ws_token: token } = await target.logInToChat(account);
    return {
      url: target.service('chat').url,
      token,
      address: attackerAddresses(21, 1).join(),
      sockets: isQuick ? sockets.quick : sockets.full,
    };
  },
  run: async ({ sockets: count, ...login }, attacker) => {
    const flooding = Array.from({ length: Math.ceil(count / floods.length) }, () =>
      floods.map((send) => floodWithFrames(login, send, attacker)),
    );
    await Promise.all(flooding.flat());
  },
});

/**
 * Direct conversations, which the service reads when the account connects and has no other WebSocket. They cost the
 * whole burst.
 */
const conversations = 10_000;

/**
 * Before and after each connection: more often than the 120 a minute that an address may; beyond them connections fail.
 */
const pauseMs = 100;

const reconnects = loadAttack({
  name: 'extra-8',
  summary: 'an account with 10,000 conversations connects, sends a frame and disconnects, as often as an address may',
  services: ['chat'],
  job,
  isLimited: ({ 'rejected connections': connections = 0, 'error rate-limited': frames = 0 }) =>
    connections + frames > 0,
  prepare: async (target) => {
    const account = target.newAccount();
    await new ChatRows(target).directConversations(account, conversations);
    const { ws_token: token } = await target.logInToChat(account);
    return { url: target.service('chat').url, token, address: attackerAddresses(22, 1).join() };
  },
  run: async (login, { signal, rate, count }) => {
    const onFrame = (data: Buffer): void => {
      const { type, payload } = parseFrame(data);
      if (type === 'error') count(`error ${String(payload['code'])}`);
    };
    do {
      try {
        const socket = await ChatSocket.open(login, { onFrame });
        count('connections');
        // On a slow machine the account can pay again before it reconnects; this frame is then rejected instead.
        socket.send('leave-conversation', { conversation_id: 'none' });
        await pause(pauseMs, signal);
        socket.close();
      } catch (error) {
        const isRejected = error instanceof Error && error.message === 'not authenticated: error';
        count(isRejected ? 'rejected connections' : 'failed connections');
      }
    } while (await pause(pauseMs / rate, signal));
  },
});

export const chatFloods: readonly LoadAttack[] = [socketFloods, reconnects];
