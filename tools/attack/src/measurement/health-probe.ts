import { get } from 'node:http';

/** A platform that waits longer takes the instance for dead. */
const probeTimeoutMs = 4_000;

/**
 * Asks as a platform does, over a connection of its own.
 *
 * @returns the body; undefined where it was not answered with 200 in time
 */
export function fetchOnce(url: string, path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(probeTimeoutMs);
    const sent = get(`${url}${path}`, { agent: false, signal }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', () => {
        resolve(undefined);
      });
      response.on('end', () => {
        resolve(response.statusCode === 200 ? text : undefined);
      });
    });
    sent.on('error', () => {
      resolve(undefined);
    });
  });
}

/** Whether the process answers in time. */
export async function isLive(url: string): Promise<boolean> {
  return (await fetchOnce(url, '/health/live')) !== undefined;
}
