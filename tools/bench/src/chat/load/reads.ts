import { Agent, get } from 'node:http';
import { percentile } from '@waggle/running/statistics';
import { type ReadsJob, type ReadsResult } from '../jobs';
import { nowSeconds } from '../../measure/load-time';

const responseTimeoutMs = 60_000;

/**
 * Sends requests one after another over one connection, from the lists in turn. @throws Error if a response is not
 * what is expected
 */
export async function loadReads({ url, accessToken, paths, warmUp, expected }: ReadsJob): Promise<ReadsResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const read = async (path: string): Promise<number> => {
    const start = nowSeconds();
    const text = await body(url + path, accessToken, agent);
    const seconds = nowSeconds() - start;
    if (text.split(expected.text).length - 1 < expected.times) throw new Error(`too short a response to ${path}`);
    return seconds;
  };
  const lists = Object.entries(paths);
  const secondsOf = new Map(lists.map(([name]): [string, number[]] => [name, []]));
  const longest = Math.max(...lists.map(([, list]) => list.length));
  for (let turn = 0; turn < longest; turn += 1) {
    for (const [name, list] of lists) {
      const path = list[turn];
      if (path === undefined) continue;
      const seconds = await read(path);
      if (turn >= warmUp) secondsOf.get(name)?.push(seconds);
    }
  }
  return Object.fromEntries(
    [...secondsOf].map(([name, seconds]) => [
      name,
      { p50Ms: percentile(seconds, 0.5) * 1_000, p95Ms: percentile(seconds, 0.95) * 1_000 },
    ]),
  );
}

function body(url: string, accessToken: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${accessToken}` };
    get(url, { agent, headers, timeout: responseTimeoutMs }, (response) => {
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
