import { type IdleJob, type IdleResult } from '../jobs';
import { LoadSocket } from './load-socket';

/** How many sockets open at once. */
const atOnce = 100;

/** Opens the sockets, which are kept as long as this process lives, and answers when all are open. */
export async function loadIdle({ seats, sockets }: IdleJob): Promise<IdleResult> {
  let begun = 0;
  const openSome = async () => {
    while (begun < sockets) {
      const seat = seats[begun % seats.length];
      begun += 1;
      if (seat === undefined) throw new RangeError('no seats');
      await LoadSocket.open(seat, () => undefined, ended);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, openSome));
  return { open: begun };
}

/** What is measured is no longer there. */
function ended(code: number): void {
  process.stderr.write(`an idle connection was closed: ${code}\n`);
  process.exit(1);
}
