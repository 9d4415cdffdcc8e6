import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Chat, logIn } from '@waggle/client';
import { signAs } from '@waggle/running';
import { until } from '@waggle/testing';

const accounts = ['alice', 'bob', 'carol', 'dave'];

/** What the load saw, printed as JSON at its end. */
export interface LoadReport {
  sent: number;
  /** Messages whose sender got no confirmation. */
  unconfirmed: string[];
  /** Messages that the other account did not receive exactly once. */
  lost: string[];
  requests: number;
  failed: string[];
  reconnects: number;
}

/**
 * `node load.js <url of the chat>`: each of four accounts writes to the next one and sends requests, which it does not
 * repeat, until SIGTERM. A process of its own, since Node.js reads `NODE_EXTRA_CA_CERTS` when it starts.
 */
async function main(url: string): Promise<void> {
  const report: LoadReport = { sent: 0, unconfirmed: [], lost: [], requests: 0, failed: [], reconnects: 0 };
  const received = new Map<string, number>();
  const sent = new Set<string>();
  const run = String(Date.now());
  const clients = await Promise.all(accounts.map((account) => connect(account)));
  let isStopped = false;
  const stopped = once(process, 'SIGTERM').then(() => {
    isStopped = true;
  });
  console.log('writing');
  await Promise.all(clients.flatMap((chat, index) => [write(chat, index), request(chat)]));
  await stopped;
  await until(() => [...sent].every((text) => received.has(text))).catch(() => undefined);
  report.sent = sent.size;
  report.lost = [...sent].filter((text) => received.get(text) !== 1);
  await Promise.all(clients.map((chat) => chat.close()));
  console.log(JSON.stringify(report));

  async function connect(account: string): Promise<Chat> {
    const session = await logIn({ url, account, sign: (text) => signAs(account, text) });
    const chat = new Chat({ session });
    chat.on('chat-message', ({ from, content }) => {
      if (from !== account) received.set(content, (received.get(content) ?? 0) + 1);
    });
    chat.on('disconnected', () => {
      report.reconnects += 1;
    });
    await chat.connect();
    return chat;
  }

  async function write(chat: Chat, index: number): Promise<void> {
    const other = accounts[(index + 1) % accounts.length] ?? '';
    const pending: Promise<unknown>[] = [];
    for (let count = 0; !isStopped; count += 1) {
      const text = `${run} ${chat.account} ${count}`;
      sent.add(text);
      pending.push(
        chat.sendTo(other, text).catch((error: unknown) => report.unconfirmed.push(`${text}: ${String(error)}`)),
      );
      // The first message creates the conversation.
      if (count === 0) await pending[0];
      await setTimeout(100);
    }
    await Promise.all(pending);
  }

  async function request({ session }: Chat): Promise<void> {
    for (let count = 0; !isStopped; count += 1) {
      const headers = { authorization: `Bearer ${session.tokens.accessToken}`, 'content-type': 'application/json' };
      const [path, body] =
        count % 2 === 0 ? ['/users/friends'] : ['/users/settings', '{"dm":{"only_from_friends":false}}'];
      const outcome = await fetch(url + path, { headers, ...(body !== undefined && { method: 'POST', body }) }).then(
        async (response) => `${response.status} ${await response.text()}`,
        (error: unknown) => (error instanceof Error ? `${error.message}: ${String(error.cause)}` : 'no response'),
      );
      report.requests += 1;
      if (!outcome.startsWith('200')) report.failed.push(`${path}: ${outcome}`);
      await setTimeout(20);
    }
  }
}

void main(process.argv[2] ?? '');
