import { type IdleJob, type IdleResult } from '../jobs';
import { LoadSocket } from './load-socket';

const concurrentOpens = 100;

/** Opens sockets that stay open as long as this process runs. */
export async function loadIdle({ participants, sockets }: IdleJob): Promise<IdleResult> {
  let started = 0;
  const openSockets = async (): Promise<void> => {
    while (started < sockets) {
      const participant = participants[started % participants.length];
      started += 1;
      if (participant === undefined) throw new RangeError('no participants');
      await LoadSocket.open(participant, () => undefined, failOnClose);
    }
  };
  await Promise.all(Array.from({ length: concurrentOpens }, openSockets));
  return { open: started };
}

/** Ends the process with an error: the measurement is not valid. */
function failOnClose(code: number): void {
  process.stderr.write(`an idle connection was closed: ${code}\n`);
  process.exit(1);
}
