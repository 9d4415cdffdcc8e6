import { pause } from '@waggle/running/waiting';
import { z } from 'zod';
import { type AttackContext } from '../traffic/attack-context';
import { attackerAddresses } from '../traffic/addresses';
import { ChatSocket, type Frame, parseFrame } from '../traffic/chat-socket';
import { ChatRows, controlText } from '../target/chat-rows';
import { loadAttack } from './attack';

const job = z.object({ url: z.string(), token: z.string(), address: z.string(), cursor: z.string() });
type Job = z.infer<typeof job>;

const sockets = 10;
const capabilities = ['sync'];

/** More than 5,000 missed entries are rejected with `too-much`. */
const missedMessages = { quick: 400, full: 4_900 };

/** 500 frames; each pays for 8 KiB. */
const burstKilobytes = 3_000;

const reconnectMs = 500;
/** The attacker ignores `retry_after_ms`. */
const retryMs = 50;

export const repeatedResumes = loadAttack({
  name: 'medium-4',
  summary: 'one account resumes on ten sockets repeatedly; each time it has missed up to 120 MB',
  services: ['chat'],
  job,
  // The burst of an account; no resume may be complete by then.
  isLimited: ({ 'kilobytes received': kilobytes = 0 }) => kilobytes > burstKilobytes,
  forbidden: ['resume-complete'],
  prepare: async (target, { isQuick }) => {
    const account = target.newAccount();
    const { url } = target.service('chat');
    const { ws_token: token } = await target.logInToChat(account);
    const address = attackerAddresses(11, 1).join();
    const cursor = await cursorOf({ url, token, address });
    const count = isQuick ? missedMessages.quick : missedMessages.full;
    await new ChatRows(target).unreadMessages(account, { count, text: controlText });
    return { url, token, address, cursor };
  },
  run: async (given, attacker) => {
    await Promise.all(Array.from({ length: sockets }, () => resumeRepeatedly(given, attacker)));
  },
});

/** Returns the cursor of a connection from before the messages were sent. */
async function cursorOf(login: Omit<Job, 'cursor'>): Promise<string> {
  let cursor: unknown;
  const onStatus = (payload: Frame['payload']): void => {
    cursor = payload['cursor'];
  };
  const socket = await ChatSocket.open({ ...login, capabilities }, { onStatus });
  socket.close();
  return z.string().parse(cursor);
}

async function resumeRepeatedly(given: Job, attacker: AttackContext): Promise<void> {
  const { signal, count } = attacker;
  while (!signal.aborted) {
    try {
      await resumeWhileOpen(given, attacker);
    } catch {
      count('failed connections');
    }
    await pause(reconnectMs, signal);
  }
}

async function resumeWhileOpen(
  { url, token, address, cursor }: Job,
  { signal, rate, count }: AttackContext,
): Promise<void> {
  let onReply: () => void = () => undefined;
  const socket = await ChatSocket.open(
    { url, token, address, capabilities },
    {
      onFrame: (data) => {
        count('kilobytes received', data.length / 1_000);
        // Messages are long, and replies are short.
        if (data.length > 1_000) return;
        const { type, payload } = parseFrame(data);
        if (type === 'status') return;
        count(type === 'error' ? `error ${String(payload['code'])}` : type);
        if (['resume-complete', 'resume-failed', 'error'].includes(type)) onReply();
      },
      onClose: (code) => {
        if (!signal.aborted) count(`closed ${code}`);
        onReply();
      },
    },
  );
  const close = (): void => {
    socket.close();
  };
  signal.addEventListener('abort', close);
  while (socket.isOpen && !signal.aborted) {
    count('resumes');
    const replied = new Promise<void>((resolve) => {
      onReply = resolve;
    });
    socket.send('authenticate', { token, capabilities, resume: cursor });
    await replied;
    await pause(retryMs / rate, signal);
  }
  signal.removeEventListener('abort', close);
  close();
}
