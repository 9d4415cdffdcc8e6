import { pause } from '@waggle/running/waiting';
import { ChatSocket, type Login, parseFrame } from './chat-socket';
import { type AttackContext } from './attack-context';

/** The default limits of frames: a burst, and then a rate. */
const burst = 500;
const framesPerSecond = 100;

/** The service closes a connection with too many rejected frames. The attacker reconnects after this time. */
const reconnectMs = 500;
/** The pause after a connection that the service rejected. An address may open 120 a minute. */
const rejectedMs = 5_000;

const pollEveryMs = 10;
/** With more unsent bytes than this the service does not read, so nothing is added. */
const maxUnsentBytes = 1_000_000;

/** Sends a message repeatedly at the allowed rate, whether or not it is rejected. */
export async function floodWithMessages(login: Login, message: object, attacker: AttackContext): Promise<void> {
  const send = (socket: ChatSocket): void => {
    socket.send('chat-message', message);
  };
  await floodWithFrames(login, send, attacker);
}

/** Repeats a frame at the rate that an account is allowed, and connects again when the connection is closed. */
export async function floodWithFrames(
  login: Login,
  send: (socket: ChatSocket) => void,
  { signal, rate, count }: AttackContext,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await floodOnce(login, send, { signal, rate, count });
      await pause(reconnectMs, signal);
    } catch {
      count('failed connections');
      await pause(rejectedMs, signal);
    }
  }
}

async function floodOnce(
  login: Login,
  send: (socket: ChatSocket) => void,
  { signal, rate, count }: AttackContext,
): Promise<void> {
  const socket = await ChatSocket.open(login, {
    onFrame: (data) => {
      const { type, payload } = parseFrame(data);
      count(type === 'error' ? `error ${String(payload['code'])}` : type);
    },
    onClose: (code) => {
      if (!signal.aborted) count(`closed ${code}`);
    },
  });
  const sinceMs = performance.now();
  let sent = 0;
  while (socket.isOpen && !signal.aborted) {
    const due = burst + ((performance.now() - sinceMs) * framesPerSecond * rate) / 1_000;
    for (; sent < due && socket.unsentBytes < maxUnsentBytes; sent += 1) {
      count('frames');
      send(socket);
    }
    await pause(pollEveryMs, signal);
  }
  socket.close();
}
