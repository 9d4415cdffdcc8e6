import { once } from 'node:events';
import { connect } from 'node:net';
import { benchAccount } from '@waggle/running/bench-accounts';

/** Opens a stream of events for an account. Resolves when it starts. @param onEvent called with the id of each event */
async function openStream(url: string, account: number, onEvent?: (id: string) => void): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`GET /events?accounts=${benchAccount(account)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  socket.on('close', ended);
  let text = '';
  await new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      text += data.toString();
      if (/^id: /m.test(text)) resolve();
      const end = text.lastIndexOf('\n\n');
      if (end === -1) return;
      for (const [, id = ''] of text.slice(0, end).matchAll(/^id: \w+-(\d+)\nevent: notification$/gm)) onEvent?.(id);
      text = text.slice(end);
    });
  });
}

/** Opens streams concurrently. Resolves when all are open. */
export async function openStreams(
  { url, streams, accounts }: { url: string; streams: number; accounts: number },
  onEvent?: (id: string) => void,
): Promise<void> {
  let opened = 0;
  const openSome = async (): Promise<void> => {
    while (opened < streams) {
      opened += 1;
      await openStream(url, opened % accounts, onEvent);
    }
  };
  await Promise.all(Array.from({ length: concurrentOpens }, openSome));
}

const concurrentOpens = 100;

/** Ends the process with an error: the measurement is not valid. */
function ended(): void {
  process.stderr.write('a stream was closed\n');
  process.exit(1);
}
