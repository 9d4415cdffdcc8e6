import { once } from 'node:events';
import { connect } from 'node:net';

/** Time limit for a server that hangs; on a busy machine a working one may take seconds. */
const timeoutMs = 10_000;

/**
 * Sends inline commands over a new connection.
 *
 * @returns all replies, that to `AUTH` first
 */
export async function askRedis(port: number, password: string, ...commands: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(timeoutMs, () => socket.destroy());
  try {
    await once(socket, 'connect');
    socket.end([`AUTH ${password}`, ...commands, ''].join('\r\n'));
    let reply = '';
    for await (const chunk of socket) reply += String(chunk);
    return reply;
  } finally {
    socket.destroy();
  }
}
