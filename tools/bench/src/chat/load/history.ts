import { Agent, get } from 'node:http';
import { median } from '@waggle/running/statistics';
import { z } from 'zod';
import { type HistoryJob, type HistoryResult } from '../jobs';
import { nowSeconds } from '../../measure/load-time';

const pageSize = 50;

const pageTimeoutMs = 10_000;

const messages = z.array(z.object({ id: z.string() }));

/**
 * Reads pages one after another over one connection, of the conversations in turn. @throws Error if a page is not full
 */
export async function loadHistory(job: HistoryJob): Promise<HistoryResult> {
  const { url, accessToken, conversations, warmUpPages, pages } = job;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const read = async ({ id, fromMs, toMs }: HistoryJob['conversations'][string], turn: number): Promise<number> => {
    const before = Math.floor(fromMs + (toMs - fromMs) * shareOf(turn));
    const query = new URLSearchParams({ conversation_id: id, before: String(before), limit: String(pageSize) });
    const start = nowSeconds();
    const text = await body(`${url}/messages/chats?${query.toString()}`, accessToken, agent);
    const seconds = nowSeconds() - start;
    const found = messages.parse(JSON.parse(text)).length;
    if (found !== pageSize) throw new Error(`a page of ${found} messages before ${before}`);
    return seconds;
  };
  const secondsOf = new Map(Object.keys(conversations).map((name): [string, number[]] => [name, []]));
  for (let turn = 0; turn < warmUpPages + pages; turn += 1) {
    for (const [name, conversation] of Object.entries(conversations)) {
      const seconds = await read(conversation, turn);
      if (turn >= warmUpPages) secondsOf.get(name)?.push(seconds);
    }
  }
  return { pageMs: Object.fromEntries([...secondsOf].map(([name, seconds]) => [name, median(seconds) * 1_000])) };
}

/** Evenly distributed, reproducible shares: multiples of the golden ratio. */
function shareOf(turn: number): number {
  return (turn * 0.618033988749895) % 1;
}

function body(url: string, accessToken: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${accessToken}` };
    get(url, { agent, headers, timeout: pageTimeoutMs }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url}: ${response.statusCode ?? 0} ${text}`));
      });
    })
      .on('timeout', () => {
        reject(new Error(`${url} does not respond`));
      })
      .on('error', reject);
  });
}
