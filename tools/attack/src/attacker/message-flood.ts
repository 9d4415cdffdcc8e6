import { ChatSocket, type Login, parseFrame } from '../chat-socket';
import { type Attacker } from './attacker';
import { pause } from './pause';

/** The default limits of frames: so many at once, and then so many a second. */
const burst = 500;
const framesPerSecond = 100;

/** Refused too often the connection is closed: the attacker comes back after so long. */
const reconnectMs = 500;

const lookEveryMs = 10;
/** With more than this unsent the service does not read: nothing is added. */
const unsentMaxBytes = 1_000_000;

/** Sends a message again and again at the allowed rate, whether or not it is refused. */
export async function floodWithMessages(
  login: Login,
  message: object,
  { signal, rate, count }: Attacker,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await floodOnce(login, message, { signal, rate, count });
    } catch {
      count('refused connection');
    }
    await pause(reconnectMs, signal);
  }
}

async function floodOnce(login: Login, message: object, { signal, rate, count }: Attacker): Promise<void> {
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
    for (; sent < due && socket.unsentBytes < unsentMaxBytes; sent += 1) {
      count('frames');
      socket.send('chat-message', message);
    }
    await pause(lookEveryMs, signal);
  }
  socket.close();
}
