import { createdChannel } from '@waggle/contracts';
import { pause } from '@waggle/running/waiting';
import { z } from 'zod';
import { hasCounted, loadAttack, type Observer } from './attack';
import { attackerAddresses } from '../traffic/addresses';
import { type AttackContext } from '../traffic/attack-context';
import { ChatSocket, type Login, parseFrame } from '../traffic/chat-socket';
import { HttpClient } from '../traffic/http-client';
import { ChatRows } from '../target/chat-rows';
import { type Target } from '../target/target';

const job = z.object({ url: z.string(), token: z.string(), address: z.string(), channel: z.string() });

/** A join by message and a leave cost eleven frames of the hundred that are allowed each second. */
const joinsPerSecond = 9;
/** More than the burst of 500 frames allows. */
const joinBurst = 60;
const members = { quick: 2_000, full: 50_000 };

/** The largest average event in the database. The list of 50,000 members alone takes 600 KB. */
const eventMaxBytes = 4_096;

const reconnectMs = 500;

export const channelJoins = loadAttack({
  name: 'medium-5',
  summary: 'joins and leaves a channel of 50,000 members at the allowed rate',
  services: ['chat'],
  job,
  isLimited: hasCounted('member-added', 'error rate-limited'),
  prepare: async (target, { isQuick }) => {
    const { url } = target.service('chat');
    const channel = await createChannel(target);
    await new ChatRows(target).channelMembers(channel, isQuick ? members.quick : members.full);
    const { ws_token: token } = await target.logInToChat(target.newAccount());
    return { url, token, address: attackerAddresses(12, 1).join(), channel };
  },
  observe: async (target, { channel }) => {
    const before = await storedEvents(target, channel);
    const observer: Observer = {
      stop: async () => {
        const after = await storedEvents(target, channel);
        const [events, bytes] = [after.events - before.events, after.bytes - before.bytes];
        return [
          {
            what: 'stored events',
            value: `${events}, ${(bytes / 1e6).toFixed(1)} MB`,
            isFailure: events > 0 && bytes / events > eventMaxBytes,
          },
        ];
      },
    };
    return observer;
  },
  run: async ({ channel, ...login }, attacker) => {
    do {
      await joinAndLeave(login, channel, attacker).catch(() => {
        attacker.count('failed connections');
      });
    } while (await pause(reconnectMs, attacker.signal));
  },
});

/** Joins and leaves until the connection is closed or the attack is over. */
async function joinAndLeave(login: Login, channel: string, { signal, rate, count }: AttackContext): Promise<void> {
  const socket = await ChatSocket.open(login, {
    onFrame: (data) => {
      count('kilobytes received', data.length / 1_000);
      const { type, payload } = parseFrame(data);
      count(type === 'error' ? `error ${String(payload['code'])}` : type);
    },
    onClose: (code) => {
      if (!signal.aborted) count(`closed ${code}`);
    },
  });
  const join = (): void => {
    count('joins');
    socket.send('chat-message', { conversation_id: channel, to: null, message: 'hello' });
    socket.send('leave-conversation', { conversation_id: channel });
  };
  for (let first = 0; first < joinBurst; first += 1) join();
  do join();
  while (socket.isOpen && (await pause(1_000 / (joinsPerSecond * rate), signal)));
  socket.close();
}

async function createChannel(target: Target): Promise<string> {
  const { url } = target.service('chat');
  const { token } = await target.logInToChat(target.newAccount());
  const client = new HttpClient(url, attackerAddresses(12, 1).join());
  try {
    const headers = { authorization: `Bearer ${token}` };
    const { text } = await client.send('/users/channels', { method: 'POST', headers, body: '{"name":"large"}' });
    return createdChannel.parse(JSON.parse(text)).id;
  } finally {
    await client.close();
  }
}

const stored = z.object({ events: z.coerce.number(), bytes: z.coerce.number() });

async function storedEvents(target: Target, channel: string): Promise<z.infer<typeof stored>> {
  const [row] = await target.query(
    'chat',
    'SELECT count(*) AS events, coalesce(sum(octet_length(e::text)), 0) AS bytes FROM event e WHERE stream = $1',
    [channel],
  );
  return stored.parse(row);
}
