import { type IdleJob, type IdleResult } from '../jobs';
import { LoadSocket } from './load-socket';

const concurrentOpens = 100;

/** Opens sockets that stay open as long as this process runs. */
export async function loadIdle({ participants, sockets }: IdleJob): Promise<IdleResult> {
  let opened = 0;
  const openSome = async () => {
    while (opened < sockets) {
      const participant = participants[opened % participants.length];
      opened += 1;
      if (participant === undefined) throw new RangeError('no participants');
      await LoadSocket.open(participant, () => undefined, ended);
    }
  };
  await Promise.all(Array.from({ length: concurrentOpens }, openSome));
  return { open: opened };
}

/** The measurement is void. */
function ended(code: number): void {
  process.stderr.write(`an idle connection was closed: ${code}\n`);
  process.exit(1);
}
