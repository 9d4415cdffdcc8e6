import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports of common systems, which tests use all the time, and above the last port that `fetch`
 * blocks (10080).
 */
const [lowest, beyond] = [11_000, 32_000];

/** Finds a free TCP port of 127.0.0.1 that another process is unlikely to take before it is used, or used again. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, beyond);
    if (await isPortFree(port)) return port;
  }
}

/** Whether a server can listen on the port. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () =>
      server.close(() => {
        resolve(true);
      }),
    );
  });
}
