import { get } from 'node:http';

/** After this time a platform considers the instance dead. */
const probeTimeoutMs = 4_000;

/**
 * Sends a request over a new connection, as a platform does. @returns the body; undefined without a status of 200 in
 * time
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

/** Returns whether the process responds in time. */
export async function isLive(url: string): Promise<boolean> {
  return (await fetchOnce(url, '/health/live')) !== undefined;
}
