import { benchAccount, bigAccount } from '@waggle/running';
import { pause } from '@waggle/running/waiting';
import { z } from 'zod';
import { attackerAddresses } from '../traffic/addresses';
import { type Reading } from '../traffic/held-response';
import { getText, heldResponsesJob, holdResponses } from '../traffic/hold-responses';
import { hasCounted, type LoadAttack, loadAttack, type Observer } from './attack';
import { failureOf, HttpClient, limited } from '../traffic/http-client';
import { type Target } from '../target/target';

const csv = { accept: 'text/csv' };

/** How often an honest client requests a short export. */
const exportEveryMs = 500;
const pollEveryMs = 250;

/** No transaction may wait for a reader. A busy machine takes a while to run one. */
const maxTransactionSeconds = 5;

interface Readers {
  name: string;
  summary: string;
  block: number;
  reading?: Reading;
}

const heldExports = ({ block, reading, ...description }: Readers): LoadAttack =>
  loadAttack({
    ...description,
    services: ['delegation'],
    job: heldResponsesJob,
    isLimited: hasCounted('status 200', 'status 429'),
    prepare: (target) => {
      const { url } = target.service('delegation');
      return Promise.resolve({
        url,
        texts: [getText(url, `/api/deleg/in?account=${bigAccount}`, csv)],
        addresses: attackerAddresses(block, 8),
        burst: 1,
        perSecond: 1,
        maxOpen: 4,
        reading,
      });
    },
    // One export at a time is allowed to an address.
    observe: (target, { url }) => Promise.resolve(watchExports(target, url, `127.0.0.${block}`)),
    run: holdResponses,
  });

/** Readers from eight addresses that request a long export. */
export const unreadExports: readonly LoadAttack[] = [
  heldExports({
    name: 'medium-6',
    summary: 'stalled readers of exports (CSV) from eight addresses',
    block: 13,
  }),
  heldExports({
    name: 'medium-6-slow',
    summary: 'readers of exports (CSV) from eight addresses, each of which reads 4 KiB/s',
    block: 18,
    reading: { bytes: 1_024, everyMs: 250 },
  }),
];

function watchExports(target: Target, url: string, address: string): Observer {
  const over = new AbortController();
  const { signal } = over;
  const http = new HttpClient(url, address);
  let [done, rejected, failed, longestSeconds] = [0, 0, 0, 0];
  const exporting = async (): Promise<void> => {
    do {
      const path = `/api/deleg/in?account=${benchAccount(1)}`;
      const failure = await http.send(path, { headers: csv }).then(failureOf, () => 'no response');
      if (failure === undefined) done += 1;
      else if (failure === limited) rejected += 1;
      else failed += 1;
    } while (await pause(exportEveryMs, signal));
  };
  const polling = async (): Promise<void> => {
    while (await pause(pollEveryMs, signal))
      longestSeconds = Math.max(longestSeconds, await openTransactionSeconds(target));
  };
  const working = Promise.all([exporting(), polling()]);
  return {
    stop: async () => {
      over.abort();
      await working;
      await http.close();
      return [
        {
          what: 'honest exports',
          value: `${done} done, ${rejected} rejected, ${failed} failed`,
          isFailure: done === 0 || rejected > 0 || failed > 0,
        },
        {
          what: 'longest transaction',
          value: `${longestSeconds.toFixed(1)} s`,
          isFailure: longestSeconds > maxTransactionSeconds,
        },
      ];
    },
  };
}

const age = z.object({ seconds: z.coerce.number() });

/** Returns the age of the service's oldest transaction that is idle. */
async function openTransactionSeconds(target: Target): Promise<number> {
  const [row] = await target.query(
    'delegation',
    `SELECT coalesce(max(extract(epoch FROM now() - xact_start)), 0) AS seconds FROM pg_stat_activity
     WHERE datname = 'delegation' AND state = 'idle in transaction'`,
  );
  return age.parse(row).seconds;
}
