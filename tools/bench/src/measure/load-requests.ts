import { z } from 'zod';
import { HttpConnection } from './http-connection';
import { countPerSecond } from './load-time';

const maxFailures = 3;

/** `busy`: the share of one core that the load generator used; near 1, it is the limit. */
export const requestsResult = z.object({ perSecond: z.number(), busy: z.number(), failures: z.array(z.string()) });
export type RequestsResult = z.infer<typeof requestsResult>;

interface Load {
  url: string;
  /** Connections with one request in flight each. */
  connections: number;
  warmUpMs: number;
  measuredMs: number;
}

/**
 * Sends requests as fast as possible over all connections at once.
 *
 * @param nextRequest returns the next request
 * @param success a text that a successful response contains, besides the status 200
 */
export async function loadRequests(
  { url, connections, ...times }: Load,
  nextRequest: () => string,
  success?: string,
): Promise<RequestsResult> {
  let completed = 0;
  const failures: string[] = [];
  const onResponse = (failure?: string): void => {
    completed += 1;
    if (failure !== undefined && failures.length < maxFailures) failures.push(failure);
  };
  const open = Array.from(
    { length: connections },
    () => new HttpConnection(new URL(url), nextRequest, onResponse, success),
  );
  const counted = await countPerSecond(times, () => completed);
  for (const connection of open) connection.close();
  return { ...counted, failures };
}
